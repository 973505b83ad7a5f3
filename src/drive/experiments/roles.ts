import { WINDOW_S } from '../../catalogue/limits.ts';
import {
  BOUNDARY_EVERY_S,
  BOUNDARY_S,
  IDLE_S,
  IN_TURN_AFTER_S,
  LEAST_ROOM_S,
  ROOM_S,
  SHARED_AFTER_S,
  SPEND_AFTER_S,
  WITHIN_S,
} from '../../plan/roles.ts';
import { isAccepted } from '../budget-state.ts';
import { awaitReturn } from './await-return.ts';
import { coldStart } from './cold-start.ts';
import { evade } from './evasion.ts';
import { askBeside, rest, secondWindow, settle, spend } from './steps.ts';
import type { RoleScripts, TrackContext } from './track.ts';

const SECOND = 1e6;

/** How many seconds before the marker `boundary` spends its first budget. */
const BEFORE_BOUNDARY_S = 0.7;

/** Seconds that a burst of a hundred gets to open its connections before it is released. */
const CONNECT_S = 3;

/** What each role does with its budget: see plan/roles.ts for why. */
export const ROLES: RoleScripts = {
  async polled(context, shared) {
    await coldStart(context, 'cold');
    await settle(context);
    await context.until(context.started() + SHARED_AFTER_S * SECOND);
    await shared();
    // A window that ends soon is still used if possible, because the next one costs another minute.
    await context.until(Math.min(context.started() + IN_TURN_AFTER_S * SECOND, context.end() - ROOM_S * SECOND));
    await nextWindowIfShort(context, LEAST_ROOM_S);
    const opened = Math.max(context.started(), context.end() - WINDOW_S * SECOND);
    await context.inTurn('in-turn');
    await settle(context);
    // Late in the window, so that a sliding log would not have this part back when the window ends; early enough to
    // stay in it.
    await context.until(Math.min(opened + SPEND_AFTER_S * SECOND, context.end() - ROOM_S * SECOND));
    await rest(context);
    await context.burst('spend-most');
    await context.inTurn('last');
    await settle(context);
    await evade(context);
    if (await awaitReturn(context, 'polling')) await secondWindow(context, 'watching', async () => {});
  },

  async silent(context, shared) {
    await coldStart(context, 'spend-cold');
    await settle(context);
    await askBeside(context);
    if (!(await awaitReturn(context, 'silent'))) return;
    await secondWindow(context, 'late', shared);
    context.nextWindow();
    const { kind, isSpentAgain } = context.track;
    if (isSpentAgain && kind === 'read') await context.burst('third-window');
    if (isSpentAgain && kind === 'write') {
      await context.burst('one-connection', { delivery: await singleConnection(context) });
    }
    await settle(context, 'end');
  },

  async boundary(context, shared) {
    await coldStart(context, 'marker');
    await shared();
    const end = context.end();
    const before = end - BEFORE_BOUNDARY_S * SECOND;
    await context.until(before - CONNECT_S * SECOND);
    await rest(context);
    await context.burst('before-boundary', { at: before });
    // A marker in whole seconds leaves the boundary open by a second: the burst follows the first sign that it has
    // passed.
    await context.until(end);
    while (context.now() < end + BOUNDARY_S * SECOND) {
      if (isAccepted(await context.one('boundary'))) break;
      await context.wait(BOUNDARY_EVERY_S);
    }
    context.nextWindow();
    await context.burst('after-boundary');
    await settle(context);
    if (context.track.variants) await evade(context);
    if (await awaitReturn(context, 'silent')) await settle(context, 'back');
  },

  async idle(context, shared) {
    await coldStart(context, 'first');
    await context.until(context.started() + SHARED_AFTER_S * SECOND);
    await shared();
    // On a slow target the idle time begins when the last of these requests has ended.
    const after = Math.max(context.started() + IDLE_S * SECOND, context.now() + (WINDOW_S + 5) * SECOND);
    await context.until(context.started() + WITHIN_S * SECOND);
    await context.one('within');
    await context.until(after);
    context.nextWindow();
    await context.one('after-idle');
    await settle(context);
    await context.burst('spend-idle');
    await settle(context, 'end');
  },

  async brief(context, shared) {
    await coldStart(context, 'marker');
    await nextWindowIfShort(context, SHARED_AFTER_S + ROOM_S);
    await context.until(context.now() + SHARED_AFTER_S * SECOND);
    await shared();
    await spend(context, 'spend');
    if (context.track.variants) await evade(context);
  },
};

/** As streams of one HTTP/2 connection where the target speaks it, or in a pipeline. */
async function singleConnection(context: TrackContext): Promise<'pipelined' | 'multiplexed'> {
  if (!context.session.profile.baseUrl.startsWith('https:')) return 'pipelined';
  const [answer] = await context.burst('http-2', { delivery: 'multiplexed' });
  return answer?.failure === null ? 'multiplexed' : 'pipelined';
}

/** If the open window is about to end, waits for the next one, because an experiment across a boundary shows less. */
async function nextWindowIfShort(context: TrackContext, room: number): Promise<void> {
  const end = context.end();
  if (end - context.now() >= room * SECOND || end < context.now()) return;
  await context.until(end + 0.5 * SECOND);
  await context.one('marker');
}
