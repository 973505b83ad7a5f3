import { expect, test } from 'vitest';
import { POLL_EVERY_S } from '../../random/seeded-schedule.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { awaitReturn, type Watch } from './await-return.ts';
import type { TrackContext } from './track.ts';

const SECOND = 1e6;

/** A budget that was spent at 0 s. Its marker is the end of the minute of a clock, of which one is over after 8 s. */
function budget(backAt: number) {
  let now = 0;
  const answers: { readonly at: number; readonly status: number }[] = [];
  const context = {
    now: () => now,
    started: () => 0,
    opened: () => 0,
    end: () => (now < 8 * SECOND ? 8 : 68) * SECOND,
    pause: (step: keyof typeof POLL_EVERY_S) => POLL_EVERY_S[step],
    until: async (time: number) => {
      now = Math.max(now, time);
    },
    one: async () => {
      answers.push({ at: now, status: now < backAt * SECOND ? 429 : 200 });
      return answers.at(-1) as unknown as Exchange;
    },
  } as unknown as TrackContext;
  return { context, answers };
}

test.each<[Watch, number, boolean]>([
  ['silent', 8, true],
  ['silent', 60, true],
  ['polling', 60, true],
  // A window after its first request, it should be back, and the refusals then say that it is at 68 s.
  ['silent', 68, false],
  ['polling', 68, false],
])('%s, a budget that is back after %i s is seen to be: in time %s', async (watch, backAt, inTime) => {
  const { context, answers } = budget(backAt);
  expect(await awaitReturn(context, watch)).toBe(inTime);
  expect(answers.at(-1)?.status).toBe(200);
  expect(answers.at(-1)?.at).toBeLessThan((backAt + 1) * SECOND);
});

test('a budget that comes back late is seen to be, and one that does not is given up after two windows', async () => {
  const late = budget(90);
  expect(await awaitReturn(late.context, 'silent')).toBe(false);
  expect(late.answers.at(-1)).toMatchObject({ status: 200 });
  expect(late.answers.at(-1)?.at).toBeLessThan(95 * SECOND);

  const never = budget(1000);
  expect(await awaitReturn(never.context, 'silent')).toBe(false);
  expect(never.answers.at(-1)?.at).toBeGreaterThan(110 * SECOND);
  expect(never.answers.at(-1)?.at).toBeLessThanOrEqual(120 * SECOND);
  expect(never.answers.filter(({ at }) => at > 74 * SECOND).length).toBeLessThan(15);
});
