import type { Work } from '../../oracle/work.ts';
import { explainedShare } from '../explained-share.ts';
import type { Proposal, SearchContext } from '../proposal.ts';
import type { World } from '../world.ts';
import { type Blocks, bitsOfPartition, joined, MOST_KEYS, severalKeys, sharing } from './sharing.ts';

/**
 * Keys that are likely to use one budget: together their requests contradict fewer answers than apart. Something else
 * may be wrong, too, so that nothing explains them whole. By chance, a third key may seem to belong to two.
 */
export function* proposeLikelyBlocks(world: World, { kind, work }: SearchContext): Iterable<Proposal> {
  const keys = severalKeys(world);
  if (keys.length < 3 || keys.length > MOST_KEYS) return;
  const gainOf = (block: readonly string[], key: string): number => gainIn(world, block, key, work);
  const pairs = likelyPairs(keys, gainOf);
  const [best] = pairs;
  if (!best) return;
  const grown = [...best];
  for (const key of keys) if (!grown.includes(key) && gainOf(grown, key) > 0) grown.push(key);
  const found: Blocks[] = [[best]];
  if (pairs.length > 1) found.push(pairs);
  if (grown.length > best.length) found.push([keys.filter((key) => grown.includes(key))]);
  for (const blocks of found) yield sharing(world, kind, blocks, bitsOfPartition(keys.length, blocks));
}

/** How much larger a share of the requests is explained if a key uses the budget of others than if it does not. */
function gainIn(world: World, block: readonly string[], key: string, work: Work): number {
  const own = joined(world, block);
  const together = joined(world, [...block, key]);
  if (!own || !together) return 0;
  const histories = [own, ...world.histories.filter((each) => each.key === key)];
  return explainedShare({ ...world, histories: [together] }, work) - explainedShare({ ...world, histories }, work);
}

/** Two keys each, those that gain most first. */
function likelyPairs(keys: readonly string[], gainOf: (block: readonly string[], key: string) => number): Blocks {
  const gains = keys
    .flatMap((one, at) => keys.slice(at + 1).map((other) => ({ pair: [one, other], gain: gainOf([one], other) })))
    .filter(({ gain }) => gain > 0)
    .sort((one, other) => other.gain - one.gain);
  const found: (readonly string[])[] = [];
  for (const { pair } of gains) {
    if (!found.some((each) => pair.some((key) => each.includes(key)))) found.push(pair);
  }
  return found;
}
