import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Outcome } from '../../replay/outcome.ts';
import type { Sequence } from '../../replay/sequence.ts';
import { exchangeOf } from '../../trace/trace.test-support.ts';
import { tryEach } from './replay.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const OPEN: Outcome = { exitCode: 3, text: 'open' };
const USED: Outcome = { ...OPEN, used: 'key-1' };

/** Requests on one key that may not show the failure, and the seconds over which they are sent. */
function uncertain(pace: Sequence['pace'], seconds: number): Sequence {
  const steps = [0, seconds].map((at) => ({ at: at * 1e6, exchanges: [exchangeOf(1, { key: 'key-1' })] }));
  return { steps, pace, window: null, shows: true, isCertain: false };
}

/** The seconds that it takes on so many keys, all of which others used just before, and what is said. */
async function replayed(sequences: readonly Sequence[], keys: number): Promise<{ seconds: number; said: string[] }> {
  const said: string[] = [];
  const start = performance.now();
  const left = Array.from({ length: keys }, () => USED);
  await tryEach([sequences], {
    ...{ keys, scale: 1 },
    say: (text) => void said.push(text),
    place: (sequence) => ({
      sequence,
      wait: left.length === 0 ? Math.max(0, 61 - (performance.now() - start) / 1000) : 0,
    }),
    attempt: async ({ steps, pace }, wait) => {
      vi.advanceTimersByTime((wait + 0.5 + (pace === 'at once' ? 0 : (steps.at(-1)?.at ?? 0) / 1e6)) * 1000);
      return left.pop() ?? OPEN;
    },
  });
  return { seconds: (performance.now() - start) / 1000, said };
}

test.each([1, 4])('what may not show a limit takes one window on %i keys that others used', async (keys) => {
  const { seconds, said } = await replayed([uncertain('at once', 0), uncertain('as recorded', 45)], keys);
  expect(seconds).toBeLessThan(66);
  expect(said.filter((text) => text.includes('than these requests explain'))).toHaveLength(1);
  expect(said.filter((text) => text.endsWith(', too.'))).toHaveLength(keys - 1);
});
