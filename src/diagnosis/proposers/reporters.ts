import type { RemainingHeader } from '../../deployment/deviations/remaining-header.ts';
import type { Event } from '../../oracle/history.ts';
import { FORGETFUL, MARKED } from '../../oracle/shapes.ts';
import type { Kind } from '../../trace/exchange.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type SearchContext } from '../proposal.ts';
import { statusOf, untold, type World, withEvents } from '../world.ts';
import { commonDivisor } from './common-divisor.ts';
import { RULE_BITS, UNJUDGED_BITS, VALUE_BITS } from './header-bits.ts';
import { isAhead, isMovingRule, ruleOfMarkers } from './marker-rules.ts';
import { areInOtherUnit, unitOf } from './marker-units.ts';

/**
 * Headers that do not follow what the limiter does: Remaining or Reset, on all answers or on those with one status.
 * Those that take few bits come first: a header without a rule takes much work to refute.
 */
export function proposeReporters(world: World, { kind }: SearchContext): Iterable<Proposal> {
  if (!world.layers.remaining || !world.layers.reset) return [];
  return [...reportersOf(world, kind)].sort((one, other) => one.bits - other.bits);
}

function* reportersOf(world: World, kind: Kind): Iterable<Proposal> {
  const limit = world.histories[0]?.shown ?? 0;
  const unit = unitOf(world.histories);
  const statuses = new Set(world.histories.flatMap(({ events }) => events.flatMap(statusOf)));
  const all = [...statuses].sort().map((status) => ({ statuses: [status] }));
  for (const only of ['all', ...all, 'openers'] as const) {
    const bits = DEVIATION_BITS + (only === 'all' ? 0 : Math.log2(1 + statuses.size));
    const isMeant = (event: Event): boolean => {
      if (only === 'openers') return event.outcome === 'accepted' && event.remaining === limit - 1;
      return only === 'all' || statusOf(event).some((status) => only.statuses.includes(status));
    };
    const meant = world.histories.map((history) => withEvents(history, (event) => (isMeant(event) ? event : null)));
    const values = new Set(
      meant.flatMap(({ events }) =>
        events.flatMap(({ outcome, remaining }) =>
          remaining === null || (outcome === 'refused' && only === 'all') ? [] : [remaining],
        ),
      ),
    );
    const isRight = meant.every(({ events }) =>
      events.every((event) => event.outcome === 'refused' && event.remaining === 0),
    );
    if (values.size > 0 && only !== 'openers' && !isRight) {
      const { change, bits: more } = ruleOfValues(values, world);
      yield {
        deviations: [{ operator: 'remaining-header', parameters: { kinds: [kind], change, only } }],
        bits: bits + more,
        world: {
          ...untold(world, ['remaining'], isMeant),
          // Without any Remaining, a counter that counts refusals and may state any slot would explain almost
          // everything.
          shapes: only === 'all' ? world.shapes.filter((shape) => MARKED.includes(shape)) : world.shapes,
        },
      };
    }
    const isMoving = (by: (event: Event) => boolean): boolean =>
      isMovingRule(ruleOfMarkers(meant.map((history) => withEvents(history, (event) => (by(event) ? event : null)))));
    const rule = ruleOfMarkers(meant);
    // If the markers of one status move and all others stay, only that status has the wrong marker.
    const isOfOne = only === 'all' && !isAhead(rule) && [...statuses].some((status) => isOnlyOf(status, isMoving));
    if (!isOfOne && meant.some(({ events }) => events.some(({ reset }) => reset !== null))) {
      const { change, bits: more } =
        only !== 'all' && areInOtherUnit(meant, unit) ? { change: 'other unit' as const, bits: RULE_BITS } : rule;
      yield {
        deviations: [{ operator: 'marker-header', parameters: { kinds: [kind], change, only } }],
        bits: bits + more,
        world: {
          ...untold(world, ['reset'], isMeant),
          shapes: only === 'all' ? world.shapes.filter((shape) => FORGETFUL.includes(shape)) : world.shapes,
        },
      };
    }
  }
}

function isOnlyOf(status: number, isMoving: (by: (event: Event) => boolean) => boolean): boolean {
  const has = (event: Event): boolean => statusOf(event).includes(status);
  return isMoving(has) && !isMoving((event) => !has(event));
}

/** The rule of these values of Remaining, if they are all one value or all multiples of one, and its bits. */
function ruleOfValues(
  values: ReadonlySet<number>,
  { histories }: World,
): { readonly change: RemainingHeader['change']; readonly bits: number } {
  const [value] = values;
  if (values.size === 1 && value !== undefined) {
    if (histories.every(({ shown }) => shown === value)) return { change: 'the limit', bits: RULE_BITS };
    return { change: { constant: value }, bits: VALUE_BITS };
  }
  const divisor = commonDivisor(values);
  return values.size >= FEWEST_MULTIPLES && divisor > 1
    ? { change: { roundedDownTo: divisor }, bits: RULE_BITS + bitsOfNumber(divisor) }
    : { change: 'no rule', bits: UNJUDGED_BITS };
}

/** Two numbers often have a common divisor; three have one in about one of six cases (1 − 1 / ζ(3)). */
const FEWEST_MULTIPLES = 3;
