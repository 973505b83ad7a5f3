import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerCounter, type DriveMessage } from '../drive/run-channel.ts';
import type { WaitReason } from '../drive/wait.ts';
import { exchanges } from '../judge/trace-builder.test-support.ts';
import { EVERYTHING, makePlan } from '../plan/plan.ts';
import { operationOf, profileWith } from '../profile/profile.test-support.ts';
import { followProgress, type Progress } from './progress.ts';
import type { RunMessage } from './supervise-run.ts';

const PLAN = makePlan({
  profile: profileWith({
    operations: [operationOf({ id: 'read', kind: 'read' }), operationOf({ id: 'write', kind: 'write' })],
  }),
  keys: { full: ['key-1'], restricted: false, revoked: false },
  selection: EVERYTHING,
  mode: 'certify',
});
const [TRACK] = PLAN.tracks;
const NAME = { track: TRACK?.id ?? '', key: TRACK?.key ?? '', kind: TRACK?.kind ?? 'read' };

function waiting(now: number, until: number | null, started = 0, why: WaitReason = 'planned'): DriveMessage {
  const ends = until === null ? null : until * 1e6;
  return { type: 'waiting', wait: { ...NAME, why, started, now: now * 1e6, until: ends } };
}

/** The progress of a run that began at 0. */
function begunProgress(scale = 1): Progress {
  const progress = followProgress(PLAN, scale);
  progress.see({ type: 'begun' }, 0);
  return progress;
}

const leftIn = (text: string): number => Number(/about (\d+) s left/.exec(text)?.[1] ?? 0);

test('the time left is never less than what a budget is still waited for, nor than the plan still takes', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.nat(200), fc.constantFrom(1, 20), (begun, length, scale) => {
      const progress = begunProgress(scale);
      progress.see(waiting(begun, begun + length), (begun / scale) * 1000);
      for (const share of [0, 0.5, 0.99]) {
        const now = (begun + length * share) / scale;
        const left = leftIn(progress.at(now * 1000).text);
        expect(left).toBeGreaterThanOrEqual((length * (1 - share)) / scale - 0.001);
        expect(left).toBeGreaterThanOrEqual(PLAN.seconds / scale - now - 0.001);
      }
    }),
  );
});

test('a track that begins anew moves the end of the run', () => {
  const progress = begunProgress();
  progress.see(waiting(1, 61, 61e6), 1000);
  expect(leftIn(progress.at(1000).text)).toBe(PLAN.seconds + 60);
});

test('a longer run is announced once, with what is waited for and why', () => {
  const progress = begunProgress();
  const { seconds } = PLAN;
  expect(progress.see(waiting(1, 40), 1000)).toBeNull();
  expect(progress.see(waiting(2, 62, 62e6, 'in use'), 2000)).toMatch(
    new RegExp(
      `^The run takes about ${seconds + 62} s, not ${seconds} s: key-1's read budget has less left than this run explains, as if in use before; its part begins again at `,
    ),
  );
  expect(progress.at(2000).text).toMatch(
    /next request on key-1's read budget at \S+ \(in 60 s\), because it has less left than this run explains, and earlier use must no longer count$/,
  );
  expect(progress.see(waiting(3, 63, 63e6, 'in use'), 3000)).toBeNull();
  expect(progress.see(waiting(seconds, seconds + 90), seconds * 1000)).toMatch(
    new RegExp(`^The run takes about ${seconds + 90} s, not ${seconds + 62} s: it waits for key-1's read budget until`),
  );
});

test('after a refusal, says that it asks to wait, and not what spent the budget', () => {
  const progress = begunProgress();
  const { seconds } = PLAN;
  expect(progress.see(waiting(2, seconds + 90, 0, 'spent'), 2000)).toMatch(
    /: a refusal on key-1's read budget says to wait until \d\d:\d\d:\d\d\.$/,
  );
  expect(progress.at(2000).text).toMatch(/, because a refusal says to wait so long$/);
});

test('after the planned time, says for how long it has been over, instead of a last second again and again', () => {
  const progress = begunProgress();
  const at = (late: number): string => progress.at((PLAN.seconds + late) * 1000).text;
  expect(leftIn(at(-1))).toBe(1);
  expect(at(0)).toMatch(/^waiting for the last answers, then judging; /);
  expect(at(15)).toMatch(/^15 s longer than planned: waiting for the last answers, then judging; /);
  expect(at(30)).not.toBe(at(15));
});

test('says what is waited for, what was sent and what failed', () => {
  const progress = begunProgress();
  const counter = answerCounter((message) => progress.see(message, 0));
  const answers = exchanges(
    {},
    { status: 429 },
    { status: 404, fault: 'missing' },
    { status: 404 },
    { failure: 'reset' },
  );
  for (const exchange of answers) counter.add(exchange);
  counter.flush();
  expect(progress.at(0).text).toContain(
    'no failure so far; 5 requests: 1 accepted, 1 refused (429), 1 rejected as intended (such as 400 and 401), 2 with another answer or none',
  );
  expect(progress.at(0).text).not.toContain('next request');
  progress.see(waiting(0, 30), 0);
  expect(progress.at(10_000).text).toMatch(
    /next request on key-1's read budget at \d\d:\d\d:\d\d \(in 20 s\), because the suite has to see what is let through when/,
  );
  const wait = { ...NAME, why: 'planned' as const, started: 0, now: 0, until: 40e6 };
  for (const key of ['key-2', 'key-3']) progress.see({ type: 'waiting', wait: { ...wait, track: key, key } }, 0);
  expect(progress.at(10_000).text).toMatch(/when a minute has ended; 2 other budgets wait too$/);
  for (const track of [NAME.track, 'key-2', 'key-3'])
    progress.see({ type: 'waiting', wait: { ...wait, track, until: null } }, 30_000);
  expect(progress.at(30_000).text).not.toContain('next request');
});

test('what follows from a failure is no failure of its own, as in the report', () => {
  const progress = begunProgress();
  const show = (id: string, rest = {}): void => {
    const verdict = { id, verdict: 'fail', proofs: [{ evidence: exchanges({ seq: 9, status: 503 }) }], ...rest };
    progress.see({ type: 'shown', proved: { verdict, time: 0, named: true } } as unknown as RunMessage, 0);
  };
  show('AUTH-5', { proofs: [{ evidence: exchanges({}, {}) }] });
  show('STATUS-401', { proofs: [], followsFrom: ['AUTH-5'] });
  expect(progress.at(0).text).toContain('; 1 failure; ');
  show('STATUS-SET');
  show('STATUS-NO5XX');
  expect(progress.at(0).text).toContain('; 2 failures; ');
});

test('judging is a phase of its own, filled by the share of its work that is done', () => {
  const progress = begunProgress();
  let before = 0;
  for (const second of [10, 60, 120, 500]) {
    const { share } = progress.at(second * 1000);
    expect(share).toBeGreaterThanOrEqual(before);
    before = share;
  }
  progress.see({ type: 'ended', error: null }, 600_000);
  for (const judged of [0, 0.25, 0.9]) {
    progress.see({ type: 'judged', share: judged }, 601_000);
    const { share, text } = progress.at(601_000);
    expect(text).toContain(`(${judged * 100} % of the work, 1 s)`);
    expect(share).toBeGreaterThanOrEqual(before);
    expect(share).toBeLessThan(1);
    before = share;
  }
});

test('before the first answer, says what is waited for, and takes no time off for the start of the runner', () => {
  const progress = followProgress(PLAN, 1);
  expect(progress.at(15_000).text).toBe(
    `about ${PLAN.seconds} s left, then judging; nothing sent yet: the test runner is starting`,
  );
  progress.see({ type: 'begun' }, 20_000);
  expect(progress.at(35_000).text).toBe(
    `about ${PLAN.seconds - 15} s left, then judging; no answer yet: the target has not answered the first request for 15 s`,
  );
  progress.see({ type: 'answers', requests: 1, accepted: 1, refused: 0, rejected: 0 }, 36_000);
  expect(progress.at(36_000).text).toContain('no failure so far; 1 request: 1 accepted');
});
