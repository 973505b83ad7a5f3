import type { EarlyRefusal } from '../../deployment/deviations/early-refusal.ts';
import type { Event } from '../../oracle/history.ts';
import { describe } from './proofs.ts';
import type { Shown } from './window-counts.ts';

/** The most failed requests that are shown before a refusal. */
const MOST_SHOWN = 3;

/** A refusal with some left, and the last failed requests before it. @param events those of a key, in order */
export function refusedAfterFailures(
  events: readonly Event[],
  { statuses, count }: NonNullable<EarlyRefusal['afterFailures']>,
): Shown | null {
  const failed = events.filter(({ exchange }) => statuses.includes(exchange.status ?? 0));
  const before = (refused: Event): readonly Event[] =>
    failed.filter(({ to }) => to < refused.from).slice(-Math.min(count, MOST_SHOWN));
  const refused = events.find(
    (event) => event.outcome === 'refused' && (event.remaining ?? 0) > 0 && before(event).length > 0,
  );
  if (!refused) return null;
  const shown = before(refused);
  const those = shown.length === 1 ? 'a failed request' : 'failed requests';
  return {
    events: [...shown, refused],
    argument: [
      ...[...shown, refused].map(({ exchange }) => describe(exchange)),
      `After ${those} of its key, #${refused.exchange.seq} was refused, and its own answer says that ${refused.remaining} requests are left.`,
    ],
  };
}
