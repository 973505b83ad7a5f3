import { SECOND } from '../../deployment/deployment.ts';
import { pick, whole } from '../../deployment/operator.ts';
import type { Random } from '../../random/random.ts';
import type { RunKind } from './draw-run.ts';
import type { OtherUse } from './virtual-run.ts';

/** What somebody else sends with the keys of a run, and the same in words. */
interface Use {
  readonly others: readonly OtherUse[];
  readonly said: readonly string[];
}

/** The use of the keys by others in a run of a kind: none, or as the kind says. */
export function drawUse(kind: RunKind, random: Random, keys: readonly string[]): Use {
  if (kind === 'used steadily') return drawSteadyUse(random, keys);
  const others = kind === 'used by others' ? drawOthers(random, keys) : [];
  return { others, said: others.map(said) };
}

/**
 * Use of one key or of all, once or several times: 1, 3, 20 or 100 requests of either kind, at one of six moments of
 * the run or before it.
 */
function drawOthers(random: Random, keys: readonly string[]): OtherUse[] {
  const used = random() < 0.5 ? [pick(random, keys)] : keys;
  return Array.from({ length: pick(random, [1, 1, 2, 4]) }, () => {
    const kind = pick(random, ['read', 'write'] as const);
    const requests = pick(random, [1, 3, 20, 100]);
    const at = pick(random, [-30, 2, 12, 25, 45, 70, 95]) * SECOND + whole(random, 0, 3 * SECOND);
    const every = pick(random, [200, 5_000, 100_000]);
    return used.map((key) => ({ key, kind, requests, at, every }));
  }).flat();
}

function said({ key, kind, requests, at }: OtherUse): string {
  return `${requests} ${kind}${requests === 1 ? '' : 's'} of others on ${key} at ${(at / SECOND).toFixed(1)} s`;
}

/** Later than any run lasts, in µs. */
const ENDED = 250 * SECOND;

/**
 * Use of one key or of all for reads, writes or both, from before the run or one of four moments of it until its end,
 * with pauses that vary. If they did not, a log would always have as many of these requests, as if its limit were lower.
 */
function drawSteadyUse(random: Random, keys: readonly string[]): Use {
  const used = random() < 0.6 ? [pick(random, keys)] : keys;
  const kinds = pick(random, [['read'], ['read'], ['write'], ['read', 'write']] as const);
  const every = pick(random, [0.7, 1, 2, 3, 5, 10, 20]) * SECOND;
  const start = pick(random, [-59, 0, 20, 50, 70]) * SECOND;
  const jitter = pick(random, [0.3, 0.6, 1]);
  const others = used.flatMap((key) => kinds.flatMap((kind) => eachOf(random, { key, kind, start, every, jitter })));
  const what = `a ${kinds.join(' and a ')} of others on ${used.join(', ')}`;
  const beat = `each ${every / SECOND} s from ${start / SECOND} s on, give or take ${jitter * 100} %`;
  return { others, said: [`${what} ${beat}`] };
}

interface Steady extends Pick<OtherUse, 'key' | 'kind'> {
  /** µs of the run's clock, and µs between two requests. */
  readonly start: number;
  readonly every: number;
  /** By which part of its length a pause varies. */
  readonly jitter: number;
}

function eachOf(random: Random, { key, kind, start, every, jitter }: Steady): readonly OtherUse[] {
  const found: OtherUse[] = [];
  for (let at = start; at < ENDED; at += every * (1 + jitter * (2 * random() - 1))) {
    found.push({ key, kind, requests: 1, at: Math.round(at), every: 1000 });
  }
  return found;
}
