import { WINDOW } from '../deployment/deployment.ts';
import type { EarlyRefusal } from '../deployment/deviations/early-refusal.ts';
import type { Arrival } from './arrival.ts';
import type { Behaviour } from './behaviour.ts';

/** Refusals of all requests of a key for some time after so many of its requests have failed within a minute. */
export function refusalsAfterFailures(
  { kinds }: Pick<EarlyRefusal, 'kinds'>,
  { statuses, count, length }: NonNullable<EarlyRefusal['afterFailures']>,
  behaviour: Behaviour,
): Pick<Behaviour, 'refusedBesides' | 'breaksOff'> {
  const failed = new Map<string, readonly number[]>();
  const blocked = new Map<string, number>();
  const keyOf = ({ presentation }: Arrival): string => presentation.holder?.name ?? '';
  return {
    refusedBesides(arrival, kind, now) {
      const already = behaviour.refusedBesides(arrival, kind, now);
      if (already !== null || !kinds.includes(kind)) return already;
      return now < (blocked.get(keyOf(arrival)) ?? Number.NEGATIVE_INFINITY) ? 'untold' : null;
    },
    breaksOff(context) {
      const { arrival, status, answered } = context;
      if (statuses.includes(status)) {
        const key = keyOf(arrival);
        const recent = [...(failed.get(key) ?? []), answered].filter((at) => at > answered - WINDOW);
        failed.set(key, recent.length < count ? recent : []);
        if (recent.length >= count) blocked.set(key, answered + (length ?? Number.POSITIVE_INFINITY));
      }
      return behaviour.breaksOff(context);
    },
  };
}
