import { generateKeyPairSync } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { wholeProfile } from '../accuracy/virtual/draw-profile.ts';
import { virtualRun } from '../accuracy/virtual/virtual-run.ts';
import { writeRun } from '../accuracy/virtual/write-run.ts';
import { judgeTrace } from '../judge/judge-trace.ts';
import { packageRoot } from '../package-root.ts';
import { seededRandom } from '../random/random.ts';
import { MADE_UP_KEY, MADE_UP_SHOWN, madeUpKey } from '../random/seeded-schedule.ts';
import { conductOf } from '../reference/conduct.ts';
import { makeReport } from '../report/make-report.ts';
import { serialiseReport } from '../report/report.ts';
import { CHAIN_START, chainOn } from '../trace/chain.ts';
import { encodeLine } from '../trace/codec.ts';
import { inspectTrace } from '../trace/read-trace.ts';
import type { Intent, TraceFooter, TraceHeader, TraceLine } from '../trace/trace.ts';
import { attestRun } from './attest.ts';
import type { Judge } from './judge-again.ts';
import { seedOf } from './nonce.ts';
import { forge, judge as quickJudge, SUITE, sha256, temporaryFolder } from './run.test-support.ts';
import { encodeStatement } from './statement.ts';
import { testedOf } from './tested.ts';
import { type VerifyOptions, verifyRun } from './verify.ts';

/**
 * What the holder of a key could try, each as they would: the trace is written anew with numbers, counts and hash chain that fit, judged by
 * the suite's own judge, and signed. The names are those of the table in docs/certifying.md.
 */

const NONCE = 'n-7f3a';
const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000;
const vendor = generateKeyPairSync('ed25519');
/** Takes seconds for each run: only where verdicts matter. */
const suiteJudge: Judge = (trace, digest) => makeReport(trace, judgeTrace(trace), digest);
const header = { suite: { name: SUITE.name, version: SUITE.version }, nonce: NONCE };

/** An honest run of a deployment that refuses one request too early, in a folder. */
async function recorded(defect: string | null, seed: number): Promise<string> {
  const run = temporaryFolder();
  const options = { profile: wholeProfile(), keys: 2, seed, epoch: EPOCH };
  const { trace, lines } = await virtualRun({ ...options, conduct: conductOf(null, defect) });
  writeRun(join(run, 'trace.ndjson'), { ...trace, header: { ...trace.header, ...header } }, lines);
  return run;
}

const FAILING = await recorded('limit-minus-one', seedOf(NONCE));
const PASSING = await recorded(null, seedOf(NONCE));
const OLD = await recorded(null, 12);
/** Fails by single requests and nothing else: a key is accepted by its first half. */
const OPEN = await recorded('altered-key-accepted', seedOf(NONCE));
/** Fails by what answers say, and access logs do not keep. */
const MISLABELLED = await recorded('limit-header-off-by-one', seedOf(NONCE));

type Body = Exclude<TraceLine, TraceHeader | TraceFooter>;

interface Lines {
  readonly header: TraceHeader;
  readonly body: readonly Body[];
}

/** A copy of a run with its lines changed, sealed anew, judged and signed. */
async function forged(run: string, change: (lines: Lines) => Lines, judge = quickJudge): Promise<string> {
  const folder = temporaryFolder();
  const [first = '', ...others] = readFileSync(join(run, 'trace.ndjson'), 'utf8').trimEnd().split('\n');
  const ended = (JSON.parse(others.pop() ?? '') as TraceFooter).ended;
  const changed = change({ header: JSON.parse(first), body: others.map((line) => JSON.parse(line)) });
  const lines = [changed.header, ...changed.body].map((line) => JSON.stringify(line));
  const footer: TraceFooter = {
    type: 'footer',
    exchanges: changed.body.filter(({ type }) => type === 'exchange').length,
    intents: changed.body.reduce((sum, line) => sum + (line.type === 'intent' ? line.exchanges.length : 0), 0),
    outcome: 'complete',
    ended,
    chain: lines.reduce(chainOn, CHAIN_START),
  };
  writeFileSync(join(folder, 'trace.ndjson'), `${[...lines, encodeLine(footer)].join('\n')}\n`);
  await sign(folder, (report) => report, judge);
  return folder;
}

/** Judges the trace as it is, changes the report, and signs what it then says: `attest` would refuse. */
async function sign(folder: string, change: (report: string) => string, judge: Judge): Promise<void> {
  const { trace, digest } = await inspectTrace(join(folder, 'trace.ndjson'));
  const report = change(serialiseReport(await judge(trace, digest)));
  writeFileSync(join(folder, 'report.json'), report);
  const attested = { reportDigest: sha256(report), suite: SUITE, role: 'vendor', tested: testedOf(trace) } as const;
  forge(folder, vendor.privateKey, encodeStatement(JSON.parse(report), attested));
}

function firstOf({ body }: Lines, step: string): number | undefined {
  return body.flatMap((line) => (line.type === 'exchange' && line.step === step ? [line.seq] : []))[0];
}

/** Without these requests, and the rest numbered anew. */
function without(
  { header: head, body }: Lines,
  gone: (request: Intent & { status?: number | null }) => boolean,
): Lines {
  const dropped = new Set(body.flatMap((line) => (line.type === 'exchange' && gone(line) ? [line.seq] : [])));
  const numbers = new Map<number, number>();
  const kept = ({ seq }: { seq: number }): boolean => !dropped.has(seq);
  for (const line of body) {
    if (line.type === 'intent') for (const { seq } of line.exchanges.filter(kept)) numbers.set(seq, numbers.size + 1);
  }
  const renumbered = <Line extends { readonly seq: number }>(line: Line): Line => ({
    ...line,
    seq: numbers.get(line.seq) ?? 0,
  });
  return {
    header: head,
    body: body.flatMap((line): Body[] => {
      if (line.type === 'note') return [line];
      if (line.type === 'exchange') return kept(line) ? [renumbered(line)] : [];
      const exchanges = line.exchanges.filter(kept).map(renumbered);
      return exchanges.length === 0 ? [] : [{ ...line, exchanges }];
    }),
  };
}

/** The first part of the lines, up to the first request that would be left unanswered. */
function cut({ header: head, body }: Lines, share: number): Lines {
  const kept = body.slice(0, Math.floor(share * body.length));
  const answered = new Set(kept.flatMap((line) => (line.type === 'exchange' ? [line.seq] : [])));
  const announced = kept.flatMap((line) => (line.type === 'intent' ? line.exchanges.map(({ seq }) => seq) : []));
  const first = Math.min(...announced.filter((seq) => !answered.has(seq)), Number.POSITIVE_INFINITY);
  const early = ({ seq }: { readonly seq: number }): boolean => seq < first;
  return {
    header: head,
    body: kept.flatMap((line): Body[] => {
      if (line.type === 'note') return [line];
      if (line.type === 'exchange') return early(line) ? [line] : [];
      const exchanges = line.exchanges.filter(early);
      return exchanges.length === 0 ? [] : [{ ...line, exchanges }];
    }),
  };
}

const withEnds = ({ header: head, body }: Lines): Lines => ({
  header: head,
  body: [
    ...body,
    ...head.experiments.flatMap(({ id }) =>
      (['experiment-started', 'experiment-ended'] as const).map(
        (code): Body => ({ type: 'note', time: 0, code, experiment: id, text: '' }),
      ),
    ),
  ],
});

const check = (run: string, rest: Partial<VerifyOptions> = {}) =>
  verifyRun({ run, key: vendor.publicKey, suite: SUITE, judge: quickJudge, nonce: NONCE, ...rest });

async function copyOf(run: string, change: (report: string) => string, judge: Judge): Promise<string> {
  const folder = temporaryFolder();
  cpSync(join(run, 'trace.ndjson'), join(folder, 'trace.ndjson'));
  await sign(folder, change, judge);
  return folder;
}

/** The log that the deployment wrote while the run took place. */
function accessLogOf(run: string): string {
  const lines = readFileSync(join(run, 'trace.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const file = join(temporaryFolder(), 'access.log');
  const entries = lines
    .filter(({ type, answered }) => type === 'exchange' && answered !== undefined)
    .map(({ method, target, status, answered }) =>
      JSON.stringify({ ts: (EPOCH + answered) / 1e6, method, path: `/api/v1${target}`, status, nonce: NONCE }),
    );
  writeFileSync(file, entries.join('\n'));
  return file;
}

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
  'sign a better result than the report has, or that more was tested': {
    by: 'result',
    async run() {
      const folder = await copyOf(FAILING, (report) => report, suiteJudge);
      const { payload } = JSON.parse(readFileSync(join(folder, 'envelope.json'), 'utf8'));
      const statement = Buffer.from(payload, 'base64').toString();
      forge(folder, vendor.privateKey, Buffer.from(statement.replace('"result":"FAILED"', '"result":"PASSED"')));
      return folder;
    },
  },
  'take lines out of the trace and make counts and hash chain fit': {
    by: 'chain',
    run: () =>
      forged(FAILING, ({ header: head, body }) => ({
        header: head,
        body: body.filter((line) => line.type !== 'exchange' || line.status !== 429),
      })),
  },
  'take the early refusals out and number the rest anew': {
    by: 'schedule',
    run: () => forged(FAILING, (lines) => without(lines, (each) => each.status === 429)),
  },
  'take out single requests that failed, and number the rest anew': {
    by: 'schedule',
    run: () => forged(OPEN, (lines) => without(lines, (each) => each.fault === 'bad-key' && each.status !== 401)),
  },
  'take a request out of a burst whose size the answers decide': {
    by: 'schedule',
    run: () => forged(PASSING, (lines) => without(lines, ({ seq }) => seq === firstOf(lines, 'pulse'))),
  },
  'take all requests of a step out': {
    by: 'schedule',
    run: () => forged(FAILING, (lines) => without(lines, ({ step }) => step === 'second-window')),
  },
  'take all of a form of bad keys out that a key may not have': {
    by: 'nothing',
    run: () =>
      forged(PASSING, (lines) => without(lines, ({ variation }) => `${variation}`.startsWith('case-')), suiteJudge),
  },
  'cut the run short and write that it is complete': {
    by: 'no pass',
    run: () => forged(PASSING, (lines) => cut(lines, 0.6), suiteJudge),
  },
  'cut it short and write in that its experiments ended': {
    by: 'schedule',
    run: () => forged(PASSING, (lines) => withEnds(cut(lines, 0.97))),
  },
  'put the nonce, its seed and its made-up key into a run made before': {
    by: 'schedule',
    run: () =>
      forged(OLD, ({ header: head, body }) => {
        const seed = seedOf(NONCE);
        const key = madeUpKey(MADE_UP_SHOWN, seededRandom(seed, MADE_UP_KEY));
        return { header: { ...head, seed, madeUpKey: key }, body };
      }),
  },
  'say that another key was made up': {
    by: 'schedule',
    run: () => forged(PASSING, ({ header: head, body }) => ({ header: { ...head, madeUpKey: 'abcdefgh' }, body })),
  },
  'put the nonce alone into a run made before': { by: 'seed', run: () => forged(OLD, (lines) => lines) },
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
  'put other headers into the answers, which fit each other': {
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
  'try until a run passes': 'verify.test.ts',
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
  const { run } = FORGERIES['take all of a form of bad keys out that a key may not have'] ?? expect.fail();
  const { tested } = await check(await run(), { judge: suiteJudge });
  expect(tested).toContainEqual(
    expect.stringMatching(/^Bad keys were not tried in these forms, .*: case-first, case-middle, case-last\b/),
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
