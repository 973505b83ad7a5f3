import { LIMITS } from '../catalogue/limits.ts';
import { type AnonymousCharged, isOfAnotherKey } from '../deployment/deviations/anonymous-charged.ts';
import type { Deviation, OperatorId, ParametersOf } from '../deployment/operators.ts';
import { type Random, seededRandom } from '../random/random.ts';
import { type Kind, otherThan } from '../trace/exchange.ts';
import { refusalsAfterFailures } from './after-failures.ts';
import { type Arrival, heldBy } from './arrival.ts';
import { classOfArrival, isArrivalOf } from './arrival-class.ts';
import type { Behaviour } from './behaviour.ts';
import { limitHeaderLines, markerHeaderLines, otherLimitLines, remainingHeaderLines } from './deviating-headers.ts';
import { anchoredWindows } from './mechanisms/fixed-window.ts';
import type { AnyLimiter } from './mechanisms/limiter.ts';
import { limiterOf } from './mechanisms/mechanics.ts';
import { withOneExpiry } from './mechanisms/one-expiry.ts';
import { refusalsBeside } from './refused-beside.ts';
import { responseCache } from './response-cache.ts';
import { sharedBudgets } from './shared-budgets.ts';

/** What a deviation replaces in a behaviour. The run that tests it begins at `run`, in µs of the server’s clock. */
type Change<Parameters> = (
  parameters: Parameters,
  behaviour: Behaviour,
  random: Random,
  run: number,
) => Partial<Behaviour>;

/** What each operator does to a server, except in its limiters (`limiters.ts`). */
const CHANGES: { readonly [Id in OperatorId]?: Change<ParametersOf[Id]> } = {
  'finer-scope': ({ kinds, attribute, blocks, exempt, others, exemptHeaders }, behaviour) => {
    const isExempt = (arrival: Arrival, kind: Kind): boolean =>
      kinds.includes(kind) && exempt.includes(classOfArrival(attribute, arrival));
    if (exemptHeaders === 'repeated') return responseCache(behaviour, isExempt);
    return {
      charge(arrival, kind) {
        const charge = behaviour.charge(arrival, kind);
        if (!kinds.includes(kind)) return charge;
        const name = classOfArrival(attribute, arrival);
        const block = blocks.findIndex((classes) => classes.includes(name));
        // What is exempt has the headers of those that have a budget together.
        const isApart = others === 'apart' && !isExempt(arrival, kind);
        const part = block >= 0 ? `#${block}` : isApart ? name : '';
        return { ...charge, name: `${charge.name} ${part}` };
      },
      exempt: (arrival, kind, now) => (isExempt(arrival, kind) ? exemptHeaders : behaviour.exempt(arrival, kind, now)),
    };
  },
  'shared-keys': sharedBudgets,
  'shared-kinds': ({ how, operations, statuses, refusing = false }, behaviour) =>
    how === 'one count'
      ? { charge: (arrival) => behaviour.charge(arrival, 'read') }
      : {
          alsoCharged(arrival, kind) {
            const other = how === 'writes count as reads too' ? 'read' : 'write';
            const onRefusal = statuses?.includes(429) ?? false;
            const isAnswer = onRefusal || (statuses?.includes(arrival.due) ?? true);
            const isOf = isAnswer && (operations?.includes(arrival.operation ?? '') ?? true);
            const isMeant = kind !== other && isOf;
            const charge = behaviour.charge(arrival, other);
            const also = { kind: other, charge, refuses: refusing, ...(onRefusal && { onRefusal }) } as const;
            const extra = isMeant ? [also] : [];
            return [...behaviour.alsoCharged(arrival, kind), ...extra];
          },
        },
  'charged-as-other-kind': ({ kind, operations }, behaviour) => ({
    kind: (arrival) => (operations.includes(arrival.operation ?? '') ? otherThan(kind) : behaviour.kind(arrival)),
  }),
  'anonymous-charged': ({ which, to }, behaviour) => {
    let last: string | null = null;
    const lastThere = new Map<number, string>();
    const payer = ({ presentation: { resembles }, connection }: Arrival): string | null => {
      if (typeof to === 'string') return to;
      if (to.chosen === 'same connection') return lastThere.get(connection) ?? null;
      return to.chosen === 'last used' ? last : (resembles?.name ?? null);
    };
    return {
      accepts(arrival) {
        const accepted = behaviour.accepts(arrival);
        if (!accepted) return false;
        last = arrival.presentation.holder?.name ?? null;
        if (last !== null) lastThere.set(arrival.connection, last);
        return true;
      },
      anonymous(arrival) {
        const name = isAnonymous(which, arrival) ? payer(arrival) : null;
        return name === null ? behaviour.anonymous(arrival) : behaviour.charge(heldBy(arrival, name), arrival.kind);
      },
      alsoCharged(arrival, kind) {
        const own = behaviour.alsoCharged(arrival, kind);
        const name = which === 'forbidden' && arrival.due === 403 ? payer(arrival) : null;
        if (name === null || name === arrival.presentation.holder?.name) return own;
        return [...own, { kind, charge: behaviour.charge(heldBy(arrival, name), kind), refuses: false }];
      },
    };
  },
  'class-weight': ({ kinds, attribute, classes, weight }, behaviour) => {
    const isMeant = (arrival: Arrival, kind: Kind): boolean => {
      const name = attribute === 'status' ? `${arrival.due}` : classOfArrival(attribute, arrival);
      return kinds.includes(kind) && classes.includes(name);
    };
    // If it depends on the status, it is known only when the answer is written. Until then, the request counts.
    const isReleased = attribute === 'status' && weight === 0;
    return {
      treatment: (arrival, kind) =>
        isReleased && isMeant(arrival, kind) ? 'refunded' : behaviour.treatment(arrival, kind),
      weight: (arrival, kind) => (!isReleased && isMeant(arrival, kind) ? weight : behaviour.weight(arrival, kind)),
      onRefusal: (kind, arrival, decision) =>
        attribute === 'status' && classes.includes('429') && kinds.includes(kind)
          ? 'given back'
          : behaviour.onRefusal(kind, arrival, decision),
    };
  },
  'sporadic-weight': ({ kinds, oneIn, weight, of }, behaviour, random) => ({
    weight: (arrival, kind) =>
      kinds.includes(kind) && (!of || isArrivalOf(of, arrival)) && random() * oneIn < 1
        ? weight
        : behaviour.weight(arrival, kind),
  }),
  retried: ({ kinds, after }, { limiters }, random) => {
    const again = (limiter: AnyLimiter): AnyLimiter => ({
      ...limiter,
      decide(...first) {
        const [budget, limit, , request] = first;
        const decision = limiter.decide(...first);
        return random() * RETRIED_ONE_IN < 1
          ? { wait: after, resume: (now) => limiter.decide(budget, limit, now, request) }
          : decision;
      },
    });
    return { limiters: { ...limiters, ...Object.fromEntries(kinds.map((kind) => [kind, again(limiters[kind])])) } };
  },
  'sporadic-admission': ({ kinds, oneIn, which, of, after = 0, during }, behaviour, random, run) => {
    const isMeant = (kind: Kind, arrival: Arrival): boolean =>
      kinds.includes(kind) && (!of || isArrivalOf(of, arrival)) && random() * oneIn < 1;
    const isThen = (now: number): boolean => !during || (now >= run + during.from && now < run + during.to);
    if (which === 'any')
      return {
        exempt: (arrival, kind, now) =>
          isThen(now) && isMeant(kind, arrival) ? 'unused' : behaviour.exempt(arrival, kind, now),
      };
    /** The refusals of each budget in the window that ends then. */
    const counted = new Map<string, { readonly reset: number; readonly refusals: number }>();
    return {
      onRefusal(kind, arrival, decision) {
        const { name } = behaviour.charge(arrival, kind);
        const { reset } = decision;
        const before = counted.get(name);
        const refusals = before?.reset === reset ? before.refusals : 0;
        if (isMeant(kind, arrival) && refusals >= after) return 'let through';
        counted.set(name, { reset, refusals: refusals + 1 });
        return behaviour.onRefusal(kind, arrival, decision);
      },
    };
  },
  'early-refusal': ({ kinds, underWay, oneIn, afterFailures, reserve }, behaviour, random) => {
    if (afterFailures) return refusalsAfterFailures({ kinds }, afterFailures, behaviour);
    if (reserve) {
      return {
        refusedBesides(arrival, kind, now) {
          const refused = behaviour.refusedBesides(arrival, kind, now);
          if (refused !== null || !kinds.includes(kind) || !isArrivalOf(reserve.of, arrival)) return refused;
          const { counter, name } = behaviour.charge(arrival, kind);
          const { accepted, remaining } = behaviour.limiters[counter].peek(name, LIMITS[kind], now);
          return accepted && remaining <= reserve.left ? 'untold' : null;
        },
      };
    }
    /** A request is under way until its answer is written. */
    const open = new Set<Arrival>();
    const keyOf = ({ presentation }: Arrival) => presentation.holder?.name;
    return {
      refusedBesides(arrival, kind, now) {
        const refused = behaviour.refusedBesides(arrival, kind, now);
        if (refused !== null || !kinds.includes(kind)) return refused;
        const others = [...open].filter((each) => keyOf(each) === keyOf(arrival));
        if (others.length >= (underWay ?? 0) && random() * oneIn < 1) return 'untold';
        open.add(arrival);
        return null;
      },
      breaksOff(context) {
        open.delete(context.arrival);
        return behaviour.breaksOff(context);
      },
    };
  },
  'moved-end': ({ trigger }, { limiters }) => (trigger === 'one expiry' ? { limiters: withOneExpiry(limiters) } : {}),
  'second-limit': ({ kinds, only, limit, window, told, across }, behaviour) => {
    const second = limiterOf(anchoredWindows({ length: () => window }));
    const budget = (arrival: Arrival, kind: Kind): string => {
      if (across === 'keys') return kind;
      if (across === 'both' || across === 'anyone') return 'all';
      return behaviour.charge(arrival, across === 'kinds' ? 'read' : kind).name;
    };
    return {
      refusedBesides(arrival, kind, now) {
        const refused = behaviour.refusedBesides(arrival, kind, now);
        const meant = only === null || isArrivalOf(only, arrival);
        if (refused !== null || !meant || !kinds.includes(kind)) return refused;
        const decision = second.decide(budget(arrival, kind), limit, now);
        if (decision.accepted) return null;
        return told?.by === 'refusals' ? decision : 'untold';
      },
      refusesUnknown(arrival, now) {
        if (behaviour.refusesUnknown(arrival, now)) return true;
        return across === 'anyone' && !second.decide('all', limit, now).accepted;
      },
    };
  },
  'refused-beside': refusalsBeside,
  'other-limit': otherLimitLines,
  'limit-header': limitHeaderLines,
  'remaining-header': remainingHeaderLines,
  'marker-header': markerHeaderLines,
};

/** One in so many requests is slow. */
const RETRIED_ONE_IN = 6;

/** What a deviation replaces in this behaviour. @param seed seed of its random choices @param run when the run begins */
export function deviate<Id extends OperatorId>(
  { operator, parameters }: Extract<Deviation, { readonly operator: Id }>,
  behaviour: Behaviour,
  seed: number,
  run: number,
): Partial<Behaviour> {
  const change: Change<ParametersOf[Id]> | undefined = CHANGES[operator as Id];
  return change?.(parameters as ParametersOf[Id], behaviour, seededRandom(seed >>> 0, operator), run) ?? {};
}

/**
 * Whether a request without an accepted key is one of these. A pattern for what follows `Bearer` may allow no space.
 */
function isAnonymous(which: AnonymousCharged['which'], { presentation: { way, text } }: Arrival): boolean {
  if (isOfAnotherKey(which)) return false;
  if (which === 'both' || way === 'none') return which !== 'bad key';
  if (which === 'no key or another scheme') return way === 'other' || (way === 'bearer' && !/^\S+$/.test(text));
  return which === 'bad key';
}
