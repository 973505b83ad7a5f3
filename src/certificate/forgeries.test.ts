import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { judgeTrace } from '../judge/judge-trace.ts';
import { packageRoot } from '../package-root.ts';
import { seededRandom } from '../random/random.ts';
import { MADE_UP_KEY, MADE_UP_SHOWN, madeUpKey } from '../random/seeded-schedule.ts';
import { makeReport } from '../report/make-report.ts';
import { type Report, serialiseReport } from '../report/report.ts';
import { inspectTrace } from '../trace/read-trace.ts';
import { attestRun } from './attest.ts';
import { type Body, cut, firstOf, withEnds, without } from './changed-lines.test-support.ts';
import { accessLogOf, copyOf, forged, NONCE, recorded, vendor } from './forged-run.test-support.ts';
import type { Judge } from './judge-again.ts';
import { seedOf } from './nonce.ts';
import { forge, judge as quickJudge, SUITE, temporaryFolder } from './run.test-support.ts';
import { type VerifyOptions, verifyRun } from './verify.ts';

/**
 * What the holder of a key could try, each as they would: the trace is written anew with numbers, counts and hash chain
 * that fit, judged by the suite's own judge, and signed. The names are those of the table in docs/certifying.md.
 */

const judgedBefore = new Map<string, Report>();

/**
 * Takes seconds for each trace: only where verdicts matter. A trace is attested and verified by one judgement of its
 * digest.
 */
const suiteJudge: Judge = (trace, digest) => {
  const report = judgedBefore.get(digest) ?? makeReport(trace, judgeTrace(trace), digest);
  judgedBefore.set(digest, report);
  return report;
};

const FAILING = await recorded('limit-minus-one', seedOf(NONCE));
const PASSING = await recorded(null, seedOf(NONCE));
const OLD = await recorded(null, 12);
/** Fails by single requests and nothing else: a key is accepted by its first half. */
const OPEN = await recorded('altered-key-accepted', seedOf(NONCE));
/** Fails by what answers say, and access logs do not keep. */
const MISLABELLED = await recorded('limit-header-off-by-one', seedOf(NONCE));

const check = (run: string, rest: Partial<VerifyOptions> = {}) =>
  verifyRun({ run, key: vendor.publicKey, suite: SUITE, judge: quickJudge, nonce: NONCE, ...rest });

interface Forgery {
  /** The check that refutes it; or no check does, and it is no pass; or nothing does. */
  readonly by: string;
  /** What they hand over. */
  readonly run: () => Promise<string>;
  readonly log?: () => string;
}

/** What they try. */
const FORGERIES: Readonly<Record<string, Forgery>> = {
  'sign a report with better verdicts than the trace gives': {
    by: 'verdicts',
    run: () => copyOf(FAILING, (report) => report.replaceAll('"verdict": "fail"', '"verdict": "pass"'), suiteJudge),
  },
  "sign a better result than the report's, or claim more tests": {
    by: 'result',
    async run() {
      const folder = await copyOf(FAILING, (report) => report, suiteJudge);
      const { payload } = JSON.parse(readFileSync(join(folder, 'envelope.json'), 'utf8'));
      const statement = Buffer.from(payload, 'base64').toString();
      forge(folder, vendor.privateKey, Buffer.from(statement.replace('"result":"FAILED"', '"result":"PASSED"')));
      return folder;
    },
  },
  'remove lines from the trace and adjust counts and hash chain': {
    by: 'chain',
    run: () =>
      forged(FAILING, ({ header: head, body }) => ({
        header: head,
        body: body.filter((line) => line.type !== 'exchange' || line.status !== 429),
      })),
  },
  'remove the early refusals and renumber the rest': {
    by: 'schedule',
    run: () => forged(FAILING, (lines) => without(lines, (each) => each.status === 429)),
  },
  'remove single failed requests and renumber the rest': {
    by: 'schedule',
    run: () => forged(OPEN, (lines) => without(lines, (each) => each.fault === 'bad-key' && each.status !== 401)),
  },
  'remove a request from a burst whose size depends on the answers': {
    by: 'schedule',
    run: () => forged(PASSING, (lines) => without(lines, ({ seq }) => seq === firstOf(lines, 'in-turn'))),
  },
  'remove all requests of a step': {
    by: 'schedule',
    run: () => forged(FAILING, (lines) => without(lines, ({ step }) => step === 'second-window')),
  },
  'remove all bad keys of a form that a key may not have': {
    by: 'nothing',
    run: () =>
      forged(PASSING, (lines) => without(lines, ({ variation }) => `${variation}`.startsWith('case-')), suiteJudge),
  },
  'cut the run short and mark it complete': {
    by: 'no pass',
    run: () => forged(PASSING, (lines) => cut(lines, 0.6), suiteJudge),
  },
  'cut it short and add the ends of its experiments': {
    by: 'schedule',
    run: () => forged(PASSING, (lines) => withEnds(cut(lines, 0.97))),
  },
  'put the nonce, its seed and its made-up key into an earlier run': {
    by: 'schedule',
    run: () =>
      forged(OLD, ({ header: head, body }) => {
        const seed = seedOf(NONCE);
        const key = madeUpKey(MADE_UP_SHOWN, seededRandom(seed, MADE_UP_KEY));
        return { header: { ...head, seed, madeUpKey: key }, body };
      }),
  },
  'claim that another key was made up': {
    by: 'schedule',
    run: () => forged(PASSING, ({ header: head, body }) => ({ header: { ...head, madeUpKey: 'abcdefgh' }, body })),
  },
  'put only the nonce into an earlier run': { by: 'seed', run: () => forged(OLD, (lines) => lines) },
  'leave experiments or keys out of the header': {
    by: 'schedule',
    run: () =>
      forged(PASSING, ({ header: head, body }) => ({
        header: { ...head, experiments: head.experiments.filter(({ id }) => id !== 'authentication') },
        body,
      })),
  },
  'select fewer requirements': {
    by: 'schedule',
    run: () => forged(PASSING, ({ header: head, body }) => ({ header: { ...head, selection: ['AUTH-1'] }, body })),
  },
  'turn refusals into successes in the trace': {
    by: 'access log',
    run: () =>
      forged(FAILING, ({ header: head, body }) => {
        const early = body.findIndex((line) => line.type === 'exchange' && line.status === 429);
        return {
          header: head,
          body: body.map((line, index) => (index === early ? ({ ...line, status: 200 } as Body) : line)),
        };
      }),
    log: () => accessLogOf(FAILING),
  },
  'replace headers of answers by others that agree with each other': {
    by: 'nothing',
    run: () =>
      forged(
        MISLABELLED,
        ({ header: head, body }) => ({
          header: head,
          body: body.map((line) => {
            if (line.type !== 'exchange') return line;
            const limit = line.headers.limit.map(() => (line.kind === 'read' ? '100' : '30'));
            return { ...line, headers: { ...line.headers, limit } };
          }),
        }),
        suiteJudge,
      ),
    log: () => accessLogOf(MISLABELLED),
  },
  'invent a whole trace with the right schedule': {
    by: 'access log',
    run: () => copyOf(PASSING, (report) => report, quickJudge),
    log: () => accessLogOf(FAILING),
  },
};

/** What is tried elsewhere, by tests of this name. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'alter any byte of a signed file': 'tampering.test.ts',
  'test another deployment than customers use': 'verify.test.ts',
  'leave operations out of the profile': 'verify.test.ts',
  'repeat runs until one passes': 'verify.test.ts',
};

/** Where only the verdicts tell. */
const JUDGED: ReadonlySet<string> = new Set(['no pass', 'nothing', 'verdicts', 'result']);

describe('what the holder of a key could try', () => {
  test.each(Object.entries(FORGERIES))('%s', async (_, { by, run, log }) => {
    const judge = JUDGED.has(by) ? suiteJudge : quickJudge;
    const { checks, result } = await check(await run(), { judge, ...(log ? { accessLog: log() } : {}) });
    const refuted = checks.filter((each) => each.outcome === 'refuted').map(({ name }) => name);
    if (by === 'no pass') expect(result).not.toBe('PASSED');
    else if (by === 'nothing') expect({ refuted, result }).toEqual({ refuted: [], result: 'PASSED' });
    else expect(refuted).toContain(by);
  });

  test('is what the documentation lists, with what refutes it, and no more', () => {
    const page = readFileSync(join(packageRoot(), 'docs', 'certifying.md'), 'utf8');
    const [, table = ''] = page.split('| Forgery ');
    const rows = [...table.matchAll(/^\| ([a-z][^|]*?) +\| ([^|]+?) +\|$/gm)];
    const listed = new Map(rows.map(([, what = '', by = '']) => [what, by]));
    expect([...listed.keys()].sort()).toEqual([...Object.keys(FORGERIES), ...Object.keys(ELSEWHERE)].sort());
    for (const [what, { by }] of Object.entries(FORGERIES)) {
      expect(listed.get(what), what).toContain(JUDGED.has(by) && by.startsWith('no') ? by : `\`${by}\``);
    }
    for (const [what, file] of Object.entries(ELSEWHERE)) {
      const tests = readFileSync(join(packageRoot(), 'src', 'certificate', file), 'utf8');
      expect(tests, what).toContain(`test('${what}`);
    }
  });
});

test('what was taken out as if it could not be sent is listed', async () => {
  const { run } = FORGERIES['remove all bad keys of a form that a key may not have'] ?? expect.fail();
  const { tested } = await check(await run(), { judge: suiteJudge });
  expect(tested).toContainEqual(
    expect.stringMatching(/^The run tried no bad key in these forms, .*: case-first, case-middle, case-last\b/),
  );
});

test('the honest runs are verified, with the log of their deployment', async () => {
  for (const [run, result] of [
    [PASSING, 'PASSED'],
    [FAILING, 'FAILED'],
  ] as const) {
    const folder = temporaryFolder();
    cpSync(join(run, 'trace.ndjson'), join(folder, 'trace.ndjson'));
    const { trace, digest } = await inspectTrace(join(folder, 'trace.ndjson'));
    writeFileSync(join(folder, 'report.json'), serialiseReport(await suiteJudge(trace, digest)));
    await attestRun({ run: folder, key: vendor.privateKey, suite: SUITE, judge: suiteJudge });
    const verification = await check(folder, { judge: suiteJudge, accessLog: accessLogOf(run) });
    expect(verification).toMatchObject({ outcome: 'verified', result, standing: 'witnessed by the access log' });
  }
});
