import { type Attribute, classOf } from '../../deployment/attribute.ts';
import type { Event } from '../../oracle/history.ts';
import { bitsOfNumber, DEVIATION_BITS, type Proposal, type Proposer, type SearchContext } from '../proposal.ts';
import { changed, inOrder, unclear, type World, withEvents } from '../world.ts';
import { toldCosts } from './told-cost.ts';

/** What a deployment may weigh otherwise by. */
const ATTRIBUTES: readonly Attribute[] = ['method', 'credential', 'group', 'operation'];

/** Bits by which the plainer word for a class that costs nothing is cheaper, where both explain it: that it is not limited at all. */
const EXEMPT_BITS = 4;

/** Bits for what a class that gives one back leaves open: how many of some 30 are given back where nothing was counted. */
const RETURN_BITS = 5;

/** Bits for what a class that is released leaves open: when, within two seconds of the answer, to half of one. */
const DELAY_BITS = 2;

/** Bits to say which of four attributes it is, and which of three weights. */
const WEIGHT_BITS = 4;

/** A weight that a class may have, the bits that it takes beside those to say it, and the world in which the class has it. */
interface Form {
  readonly weight: number;
  readonly further: number;
  readonly make: (world: World, which: (event: Event) => boolean) => World;
}

/** Those that take little work to refute come first, for all classes; given is the cost that the answers tell of the class, where it is three or more. */
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

/** Where so many of all requests would count nothing, none of them were refused, and what they leave never changes. */
const MOST_FREE = 0.9;

/** Classes of requests that count several times or not at all, though the budget is the same for all: one proposer for each attribute. */
export const WEIGHTS: readonly Proposer[] = ATTRIBUTES.map(
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

/** Requests that cost another number than one by the status that they are answered: failed ones more, successful ones nothing, or others less than nothing. */
export function* proposeStatusWeights(world: World, { kind }: SearchContext): Iterable<Proposal> {
  const weighing = (classes: readonly string[], weight: number, further: number, changed: World): Proposal => ({
    deviations: [{ operator: 'class-weight', parameters: { kinds: [kind], attribute: 'status', classes, weight } }],
    bits: DEVIATION_BITS + WEIGHT_BITS + further,
    world: changed,
  });
  yield weighing(
    statusesOf(world, 'accepted'),
    0,
    DELAY_BITS,
    free(world, ({ outcome }) => outcome === 'accepted', 'released'),
  );
  const failed = statusesOf(world, 'failed');
  const subsets = [
    ...subsetsOf(failed.filter((status) => STATED.has(status))),
    ...failed.flatMap((status) => (STATED.has(status) ? [] : [[status]])),
  ];
  for (const classes of subsets) {
    const returns = ({ outcome, exchange }: Event): boolean =>
      outcome === 'failed' && classes.includes(`${exchange.status}`);
    yield weighing(classes, -1, RETURN_BITS + Math.log2(subsets.length), returnedBy(world, returns));
  }
  for (const classes of subsets) {
    for (const weight of [2, 3]) {
      const has = ({ outcome, exchange }: Event): boolean =>
        (outcome === 'failed' || outcome === 'unclear') && classes.includes(`${exchange.status}`);
      yield weighing(classes, weight, Math.log2(subsets.length) + weight - 2, multiplied(world, has, weight, true));
    }
  }
}

/** What clause 7 states for failed requests that may be counted. A target that answers with any other status may have any number of these. */
const STATED: ReadonlySet<string> = new Set(['400', '403', '404', '500']);

function statusesOf({ histories }: World, outcome: Event['outcome']): readonly string[] {
  const events = histories.flatMap((history) => history.events.filter((event) => event.outcome === outcome));
  return [...new Set(events.map(({ exchange }) => `${exchange.status}`))].sort();
}

/** All of them that are not empty. */
function subsetsOf(all: readonly string[]): readonly (readonly string[])[] {
  const [first, ...others] = all;
  if (first === undefined) return [];
  const sets = subsetsOf(others);
  return [[first], ...sets, ...sets.map((set) => [first, ...set])];
}

/**
 * The world in which some requests were not counted, though their headers are those of the budget. Those that failed may be counted or not, as the
 * deployment has it.
 *
 * @param outcome of those that succeeded: never counted, or until they have been answered
 */
function free(world: World, which: (event: Event) => boolean, outcome: 'uncounted' | 'released'): World {
  return changed(world, (history) =>
    withEvents(history, (event) => {
      if (!mayCount(event) || !which(event)) return event;
      return event.outcome === 'accepted' ? { ...event, outcome } : unclear(event);
    }),
  );
}

/** What failed may cost as much as what did not, or nothing. */
const MAYBE_RETURNED = { outcome: 'returnable', group: '', remaining: null, reset: null } as const;

/** The world in which some requests that succeed give one back each. */
function givingBack(world: World, which: (event: Event) => boolean): World {
  const returning = (event: Event): Event => {
    if (!mayCount(event) || !which(event)) return event;
    return event.outcome === 'accepted' ? { ...event, outcome: 'returned' } : { ...event, ...MAYBE_RETURNED };
  };
  return changed(world, (history) => withEvents(history, returning));
}

/** The world in which some requests that fail give one back each. What they say is left is not judged. */
function returnedBy(world: World, which: (event: Event) => boolean): World {
  return changed(world, (history) =>
    withEvents(history, (event) => (which(event) ? { ...event, ...MAYBE_RETURNED, outcome: 'returned' } : event)),
  );
}

/** Whether a request may have been counted, as far as its answer tells. */
function mayCount({ outcome }: Event): boolean {
  return outcome === 'accepted' || outcome === 'failed' || outcome === 'unclear';
}

/**
 * The world in which some requests cost `weight` each. One of them that is refused where fewer are left than it costs tells nothing of the others.
 * One that is refused with nothing left may have taken what was left: what is charged in several steps fails at the last of them.
 *
 * @param always failed ones, too; else these may be counted or not, as the deployment has it
 */
function multiplied(world: World, which: (event: Event) => boolean, weight: number, always = false): World {
  const isShort = ({ outcome, remaining }: Event): boolean =>
    outcome === 'refused' && remaining !== null && remaining > 0 && remaining < weight;
  const isCut = ({ outcome, remaining }: Event): boolean => outcome === 'refused' && remaining === 0;
  return changed(world, (history) => {
    const events = history.events.map((event) => (isShort(event) && which(event) ? unclear(event) : event));
    const charged = history.events.filter((event) => (mayCount(event) || isCut(event)) && which(event));
    const more = charged.flatMap((event) =>
      Array.from({ length: weight - 1 }, (): Event => {
        const isSure = event.outcome === 'accepted' || (always && event.outcome === 'failed');
        const outcome = isSure ? 'foreign' : 'unclear';
        return { ...event, outcome, group: '', remaining: null, reset: null };
      }),
    );
    return { ...history, events: inOrder([...events, ...more]) };
  });
}
