import type { RemainingHeader } from '../../deployment/deviations/remaining-header.ts';
import { afterRefusals, opening } from '../../oracle/turns.ts';
import { DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { untold, type World } from '../world.ts';
import { RULE_BITS, VALUE_BITS } from './header-bits.ts';

/** Bits to state one of these two rather than a status. */
const TURN_BITS = 1;

/** This many answers show that it is no accident. */
const FEWEST = 2;

/** One value of Remaining on the answers that open windows, or on those that come next after a refusal. */
export function* proposeRemainingAtTurns(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.remaining) return;
  for (const [only, found] of [
    ['openers', opening],
    ['after refusals', afterRefusals],
  ] as const) {
    const turns = world.histories.flatMap(({ events }) => found(events));
    const values = turns.flatMap(({ event: { remaining }, isSure }) =>
      isSure && remaining !== null ? [remaining] : [],
    );
    const [value] = values;
    if (value === undefined || values.length < FEWEST || values.some((each) => each !== value)) continue;
    if (world.histories.every(({ shown }) => shown - 1 === value)) continue;
    const isLimit = world.histories.every(({ shown }) => shown === value);
    const change: RemainingHeader['change'] = isLimit ? 'the limit' : { constant: value };
    // The limit and 0, which the refusal said, are likelier than other values.
    const bits = isLimit || value === 0 ? RULE_BITS : VALUE_BITS;
    const meant = new Set(turns.flatMap(({ event }) => (event.remaining === value ? [event] : [])));
    yield {
      deviations: [{ operator: 'remaining-header', parameters: { kinds: [kind], change, only } }],
      bits: DEVIATION_BITS + TURN_BITS + bits,
      world: untold(world, ['remaining'], (event) => meant.has(event)),
    };
  }
}
