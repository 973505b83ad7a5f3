import { type Attribute, classOf } from '../../deployment/attribute.ts';
import type { Event } from '../../oracle/history.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type Proposer, type SearchContext } from '../proposal.ts';
import { byMarker, changed, inOrder, unclear, upToEnd, type World, withEvents } from '../world.ts';
import { mayCount, multiplied } from './multiplied.ts';
import { bitsOfOrder, bitsOfOvershoot } from './overshoot.ts';
import { subsetsOf } from './subsets.ts';
import { costsAround, toldCosts } from './told-cost.ts';

/** Attributes by which a deployment may count requests differently. */
export const COUNTED_BY: readonly Attribute[] = ['method', 'credential', 'group', 'operation'];

/** By how many bits the plainer explanation of a class that costs nothing is cheaper: that it is not limited at all. */
const EXEMPT_BITS = 4;

/** Bits for what stays open if a class gives one back: how many of some 30 are given back while nothing was counted. */
const RETURN_BITS = 5;

/** Bits for what stays open if a class is released: how soon after the answer. */
const DELAY_BITS = 2;

/** Bits to state one of four attributes and one of three weights. */
const WEIGHT_BITS = 4;

/** A possible weight of a class, its bits in addition to stating it, and the world in which the class has it. */
interface Form {
  readonly weight: number;
  readonly further: number;
  readonly make: (world: World, which: (event: Event) => boolean) => World;
}

/**
 * Weights that need little work to refute come first, for all classes. The parameter is the cost of the class according
 * to the answers, if it is three or more.
 */
const FORMS: readonly ((told: number | undefined) => readonly Form[])[] = [
  () => [
    { weight: 0, further: EXEMPT_BITS, make: (world, which) => free(world, which, 'uncounted') },
    { weight: 2, further: 0, make: (world, which) => multiplied(world, which, 2) },
    { weight: -1, further: RETURN_BITS, make: givingBack },
  ],
  (told) =>
    told === undefined
      ? []
      : [{ weight: told, further: bitsOfNumber(told - 2), make: (world, which) => multiplied(world, which, told) }],
  () => [{ weight: 0, further: RETURN_BITS + DELAY_BITS, make: (world, which) => free(world, which, 'released') }],
];

/**
 * If this share of all requests counted nothing, none of them may be refused, and their Remaining must never change.
 */
const MOST_FREE = 0.9;

/**
 * Classes of requests that count several times or not at all, although all use the same budget: one proposer for each
 * attribute.
 */
export const WEIGHTS: readonly Proposer[] = COUNTED_BY.map(
  (attribute) =>
    function* proposeWeights(world: World, { kind }: SearchContext): Iterable<Proposal> {
      const accepted = world.histories.flatMap(({ events }) => events.filter(({ outcome }) => outcome === 'accepted'));
      const classes = Map.groupBy(accepted, ({ exchange }) => classOf(attribute, exchange));
      if (classes.size < 2 && attribute !== 'method') return;
      const refused = new Set(world.histories.flatMap(({ events }) => refusedClasses(events, attribute)));
      const told = toldCosts(world.histories, ({ exchange }) => classOf(attribute, exchange));
      for (const formsOf of FORMS) {
        for (const [name, own] of [...classes].sort()) {
          const changes = refused.has(name) || new Set(own.map(({ remaining }) => remaining)).size > 1;
          for (const { weight, further, make } of formsOf(told.get(name))) {
            if (weight <= 0 && changes && own.length > MOST_FREE * accepted.length) continue;
            const has = ({ exchange }: Event): boolean => classOf(attribute, exchange) === name;
            yield {
              deviations: [
                { operator: 'class-weight', parameters: { kinds: [kind], attribute, classes: [name], weight } },
              ],
              bits: DEVIATION_BITS + WEIGHT_BITS + Math.log2(classes.size) + further,
              world: make(world, has),
            };
          }
        }
      }
    },
);

function refusedClasses(events: readonly Event[], attribute: Attribute): readonly string[] {
  return events.flatMap(({ outcome, exchange }) => (outcome === 'refused' ? [classOf(attribute, exchange)] : []));
}

/**
 * Requests whose cost depends on the status of their answer: failed ones cost more, successful ones nothing, or others
 * less than nothing, refused ones included.
 */
export function* proposeStatusWeights(world: World, { kind, otherKind, fitter }: SearchContext): Iterable<Proposal> {
  const weighing = (classes: readonly string[], weight: number, further: number, changed: World): Proposal => ({
    deviations: [{ operator: 'class-weight', parameters: { kinds: [kind], attribute: 'status', classes, weight } }],
    bits: DEVIATION_BITS + WEIGHT_BITS + further,
    world: changed,
  });
  if (!areMostlySpentExactly(world)) {
    // How soon each is given back is open, and so is how many more are let through meanwhile, as in a race.
    const over = world.histories.reduce((sum, each) => sum + bitsOfOvershoot(each, world.window), 0);
    yield weighing(
      statusesOf(world, 'accepted'),
      0,
      DELAY_BITS + over,
      free(world, ({ outcome }) => outcome === 'accepted', 'released'),
    );
  }
  if (statusesOf(world, 'refused').length > 0 && fitter.fit(untilRefused(world))) {
    const order = world.histories.reduce((sum, each) => sum + bitsOfOrder(each, world.window), 0);
    yield weighing(['429'], -1, RETURN_BITS + order, returnedByRefusals(world));
  }
  const failed = statusesOf(world, 'failed');
  const odd = failed.flatMap((status) => (STATED.has(status) ? [] : [[status]]));
  const subsets = [...subsetsOf(failed.filter((status) => STATED.has(status))), ...odd];
  // A handler usually does this for both kinds, though not each of them has an answer of each status.
  const both = { histories: [...world.histories, ...otherKind] };
  const failing = new Set(
    [...statusesOf(both, 'failed'), ...statusesOf(world, 'unclear')].filter((each) => STATED.has(each)),
  );
  const returning = [...subsetsOf([...failing]), ...odd];
  for (const classes of returning) {
    const returns = ({ exchange }: Event): boolean => classes.includes(`${exchange.status}`);
    yield weighing(classes, -1, RETURN_BITS + Math.log2(returning.length), returnedBy(world, returns));
  }
  const costs = costsAround(world.histories, ({ exchange }) => `${exchange.status}`);
  for (const classes of subsets) {
    const weights = new Set([2, 3, ...classes.flatMap((status) => costs.get(status) ?? [])]);
    for (const weight of weights) {
      const has = ({ outcome, exchange }: Event): boolean =>
        (outcome === 'failed' || outcome === 'unclear') && classes.includes(`${exchange.status}`);
      const further = Math.log2(subsets.length) + (weight > 2 ? bitsOfNumber(weight - 2) : 0);
      yield weighing(classes, weight, further, multiplied(world, has, weight, true));
    }
  }
}

/**
 * Whether in most windows with a refusal, as markers show them, just as many were accepted as the limit allows. If
 * those accepted counted only until they were answered, this would be a coincidence each time. One that leaves all of
 * the limit was not counted even then.
 */
function areMostlySpentExactly({ histories }: World): boolean {
  const spent = histories.flatMap(({ events, limit }) =>
    [...byMarker(events).values()].flatMap((window) => {
      const accepted = window.filter((event) => event.outcome === 'accepted' && event.remaining !== limit).length;
      const perhaps = window.filter(({ outcome }) => outcome === 'failed' || outcome === 'unclear').length;
      const isSpent = window.some(({ outcome }) => outcome === 'refused');
      return isSpent ? [accepted <= limit && accepted + perhaps >= limit] : [];
    }),
  );
  return spent.filter(Boolean).length * 2 > spent.length;
}

/** The world up to the first refusal of each budget: until then, no refusal can have given anything back. */
function untilRefused(world: World): World {
  return changed(world, (history) => {
    const until = history.events.find(({ outcome }) => outcome === 'refused')?.from ?? history.until;
    return { ...history, until, events: upToEnd(history.events, until) };
  });
}

/**
 * The statuses of failed requests that may be counted under clause 7. Requests answered with any other status may be
 * counted or not.
 */
const STATED: ReadonlySet<string> = new Set(['400', '403', '404', '500']);

function statusesOf({ histories }: Pick<World, 'histories'>, outcome: Event['outcome']): readonly string[] {
  const events = histories.flatMap((history) => history.events.filter((event) => event.outcome === outcome));
  return [...new Set(events.map(({ exchange }) => `${exchange.status}`))].sort();
}

/**
 * The world in which some requests were not counted, although their headers belong to the budget. Failed ones may be
 * counted or not, as the deployment chooses.
 *
 * @param outcome of the successful ones: never counted, or counted until they are answered
 */
function free(world: World, which: (event: Event) => boolean, outcome: 'uncounted' | 'released'): World {
  return changed(world, (history) =>
    withEvents(history, (event) => {
      if (!mayCount(event) || !which(event)) return event;
      return event.outcome === 'accepted' ? { ...event, outcome } : unclear(event);
    }),
  );
}

/** A failed request may cost as much as a successful one, or nothing. */
const MAYBE_RETURNED = { outcome: 'returnable', group: '', remaining: null, reset: null } as const;

/** The world in which some successful requests give one back each. */
function givingBack(world: World, which: (event: Event) => boolean): World {
  const returning = (event: Event): Event => {
    if (!mayCount(event) || !which(event)) return event;
    return event.outcome === 'accepted' ? { ...event, outcome: 'returned' } : { ...event, ...MAYBE_RETURNED };
  };
  return changed(world, (history) => withEvents(history, returning));
}

/**
 * The world in which some failed requests give one back each, and those of which it is unknown whether they are counted
 * may do so. Their Remaining is not judged.
 */
function returnedBy(world: World, which: (event: Event) => boolean): World {
  const returned = (event: Event): Event => {
    if (!which(event) || (event.outcome !== 'failed' && event.outcome !== 'unclear')) return event;
    return { ...event, ...MAYBE_RETURNED, outcome: event.outcome === 'failed' ? 'returned' : 'returnable' };
  };
  return changed(world, (history) => withEvents(history, returned));
}

/**
 * The world in which each refused request, which was not counted, gives one back. One of which it is unknown whose
 * budget it used may have done so.
 */
function returnedByRefusals(world: World): World {
  return changed(world, (history) => {
    const refused = history.events.filter(({ exchange }) => exchange.status === 429);
    const returns = refused.map((event): Event => {
      return { ...event, ...MAYBE_RETURNED, outcome: event.outcome === 'refused' ? 'returned' : 'returnable' };
    });
    return { ...history, events: inOrder([...history.events, ...returns]) };
  });
}
