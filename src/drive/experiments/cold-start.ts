import { WINDOW_S } from '../../catalogue/limits.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { remainingOf } from '../../trace/remaining.ts';
import { isAccepted } from '../budget-state.ts';
import type { Session } from '../session.ts';
import { KeyRefused } from './key-standing.ts';
import type { TrackContext } from './track.ts';

const SECOND = 1e6;

/**
 * The first requests on the budget: a burst on the cold key. If the key seems to have been in use before the run, the
 * track begins again when such requests have expired, because a half-spent budget shows less. If `X-API-Key` is not accepted,
 * the session changes to `Authorization` (AUTH-2 judges that), and sends the burst again, because nothing was counted.
 */
export async function coldStart(context: TrackContext, step: string): Promise<void> {
  // If the track begins later, this run may have used the budget, to prepare requests of the other kind.
  const isUsed = context.track.start > 0 && context.opened() < context.started();
  const first = await acceptedBurst(context, step);
  context.admitted();
  if (isUsed || !seemsInUse(context, first)) return;
  const anew = Math.max(context.end(), context.started() + WINDOW_S * SECOND) + SECOND;
  context.restart(anew);
  await context.until(anew);
  await acceptedBurst(context, step);
}

async function acceptedBurst(context: TrackContext, step: string): Promise<Exchange[]> {
  const { session, track } = context;
  const first = await context.burst(step);
  const own = first.filter(({ credential }) => credential === 'x-api-key');
  if (own.length > 0 && own.every(isUnauthorized)) session.way = 'bearer';
  if (first.some((each) => isAccepted(each) || each.status === 429 || each.failure !== null)) return first;
  // If a header is not accepted, or an operation does not work, the budget would stay full, so the plain request spends
  // it.
  const again = async (way: Session['way']): Promise<Exchange[]> => {
    session.way = way;
    // One request shows that a key is not accepted as well as a burst does.
    const asked = first.length > 1 ? [await context.one('key')] : [];
    return asked.some(isUnauthorized) ? asked : context.plainBurst(step);
  };
  const second = await again(session.way);
  if (!second.every(isUnauthorized)) return second;
  const third = await again(session.way === 'bearer' ? 'x-api-key' : 'bearer');
  if (!third.every(isUnauthorized)) return third;
  throw new KeyRefused([track.key]);
}

/** One or two requests of others are no reason to wait a minute, because the judge allows for them. */
const USE_TOLERATED = 2;

/**
 * Whether the highest Remaining of the first burst is less than the burst alone can have made it, or is likely to have:
 * because of use before the run, or of another fault, such as a budget that keys share.
 */
function seemsInUse({ limit }: TrackContext, burst: readonly Exchange[]): boolean {
  const seen = burst.flatMap(({ headers }) => remainingOf(headers) ?? []);
  return seen.length > 0 && Math.max(...seen) < Math.max(limit - burst.length, limit / 2) - USE_TOLERATED;
}

function isUnauthorized(exchange: Exchange): boolean {
  return exchange.status === 401;
}
