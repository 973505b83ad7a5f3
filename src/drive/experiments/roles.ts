import { WINDOW_S } from '../../catalogue/limits.ts';
import {
  BOUNDARY_EVERY_S,
  BOUNDARY_S,
  IDLE_S,
  LEAST_ROOM_S,
  PULSE_AFTER_S,
  ROOM_S,
  SHARED_AFTER_S,
  SPEND_AFTER_S,
} from '../../plan/roles.ts';
import { isAccepted } from '../budget-state.ts';
import { coldStart } from './cold-start.ts';
import { evade } from './evasion.ts';
import { awaitReturn, type Bench, type RoleScripts, rest, secondWindow, settle, spend } from './track.ts';

const SECOND = 1e6;

/** Seconds before the marker at which `gamma` spends its first budget. */
const BEFORE_BOUNDARY_S = 0.7;

/** Seconds that a burst of a hundred is given to open its connections before it is let go. */
const CONNECT_S = 3;

/** What each role does with its budget: see plan/roles.ts for why. */
export const ROLES: RoleScripts = {
  async alpha(bench, shared) {
    await coldStart(bench, 'cold');
    await settle(bench);
    await bench.until(bench.started() + SHARED_AFTER_S * SECOND);
    await shared();
    // A window that ends soon is used all the same, if it can be: the next one is another minute.
    await bench.until(Math.min(bench.started() + PULSE_AFTER_S * SECOND, bench.end() - ROOM_S * SECOND));
    await nextWindowIfShort(bench, LEAST_ROOM_S);
    const opened = Math.max(bench.started(), bench.end() - WINDOW_S * SECOND);
    await bench.burst('pulse');
    await settle(bench);
    // Late in the window, so that a sliding log would not have this part back when the window ends; early enough to stay in it.
    await bench.until(Math.min(opened + SPEND_AFTER_S * SECOND, bench.end() - ROOM_S * SECOND));
    await spend(bench, 'spend');
    await evade(bench);
    if (await awaitReturn(bench, 'polling')) await secondWindow(bench, 'watching', async () => {});
  },

  async beta(bench, shared) {
    await coldStart(bench, 'spend-cold');
    await settle(bench);
    if (!(await awaitReturn(bench, 'silent'))) return;
    await secondWindow(bench, 'late', shared);
    bench.nextWindow();
    const { kind, isSpentAgain } = bench.track;
    if (isSpentAgain && kind === 'read') await bench.burst('third-window');
    if (isSpentAgain && kind === 'write') {
      await bench.burst('one-connection', { delivery: await singleConnection(bench) });
    }
    await settle(bench, 'end');
  },

  async gamma(bench, shared) {
    await coldStart(bench, 'marker');
    await shared();
    const end = bench.end();
    const before = end - BEFORE_BOUNDARY_S * SECOND;
    await bench.until(before - CONNECT_S * SECOND);
    await rest(bench);
    await bench.burst('before-boundary', { at: before });
    // A marker in whole seconds leaves the boundary open by a second: the burst follows the first sign that it has passed.
    await bench.until(end);
    while (bench.now() < end + BOUNDARY_S * SECOND) {
      if (isAccepted(await bench.one('boundary'))) break;
      await bench.wait(BOUNDARY_EVERY_S);
    }
    bench.nextWindow();
    await bench.burst('after-boundary');
    await settle(bench);
    if (bench.track.variants) await evade(bench);
    if (await awaitReturn(bench, 'silent')) await settle(bench, 'back');
  },

  async delta(bench, shared) {
    await coldStart(bench, 'first');
    await bench.until(bench.started() + SHARED_AFTER_S * SECOND);
    await shared();
    // On a slow target the idle time begins when the last of these requests has ended.
    await bench.until(Math.max(bench.started() + IDLE_S * SECOND, bench.now() + (WINDOW_S + 5) * SECOND));
    bench.nextWindow();
    await bench.one('after-idle');
    await settle(bench);
    await bench.burst('spend-idle');
    await settle(bench, 'end');
  },

  async brief(bench, shared) {
    await coldStart(bench, 'marker');
    await nextWindowIfShort(bench, SHARED_AFTER_S + ROOM_S);
    await bench.until(bench.now() + SHARED_AFTER_S * SECOND);
    await shared();
    await spend(bench, 'spend');
    if (bench.track.variants) await evade(bench);
  },
};

/** As streams of one HTTP/2 connection where the target speaks it, or in a pipeline. */
async function singleConnection(bench: Bench): Promise<'pipelined' | 'multiplexed'> {
  if (!bench.session.profile.baseUrl.startsWith('https:')) return 'pipelined';
  const [answer] = await bench.burst('http-2', { delivery: 'multiplexed' });
  return answer?.failure === null ? 'multiplexed' : 'pipelined';
}

/** Where the open window is about to end, waits for the next one: an experiment that straddles a boundary shows less. */
async function nextWindowIfShort(bench: Bench, room: number): Promise<void> {
  const end = bench.end();
  if (end - bench.now() >= room * SECOND || end < bench.now()) return;
  await bench.until(end + 0.5 * SECOND);
  await bench.one('marker');
}
