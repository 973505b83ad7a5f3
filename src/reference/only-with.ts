import type { Kind } from '../trace/exchange.ts';
import type { Arrival } from './arrival.ts';
import type { AnswerContext, Behaviour } from './behaviour.ts';
import { keyOf, routed } from './mechanisms/limiter.ts';

/** A behaviour for requests with some keys, and another one for all others. */
export function onlyWith(keys: readonly string[], own: Behaviour, others: Behaviour): Behaviour {
  const of = ({ presentation: { holder } }: Arrival): Behaviour => (keys.includes(holder?.name ?? '') ? own : others);
  const then = ({ arrival }: AnswerContext): Behaviour => of(arrival);
  const limiter = (kind: Kind) =>
    routed((budget) => [(keys.includes(keyOf(budget)) ? own : others).limiters[kind], budget]);
  return {
    ...others,
    limiters: own.limiters === others.limiters ? others.limiters : { read: limiter('read'), write: limiter('write') },
    accepts: (arrival) => of(arrival).accepts(arrival),
    kind: (arrival) => of(arrival).kind(arrival),
    charge: (arrival, kind) => of(arrival).charge(arrival, kind),
    treatment: (arrival, kind) => of(arrival).treatment(arrival, kind),
    weight: (arrival, kind) => of(arrival).weight(arrival, kind),
    alsoCharged: (arrival, kind) => of(arrival).alsoCharged(arrival, kind),
    exempt: (arrival, kind, now) => of(arrival).exempt(arrival, kind, now),
    refusedBesides: (arrival, kind, now) => of(arrival).refusedBesides(arrival, kind, now),
    onRefusal: (kind, arrival, decision) => of(arrival).onRefusal(kind, arrival, decision),
    status: (context) => then(context).status(context),
    headers: (headers, context) => then(context).headers(headers, context),
    breaksOff: (context) => then(context).breaksOff(context),
  };
}
