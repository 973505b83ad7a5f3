import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { sampleExchange } from './sample-exchange.test-support.ts';
import { sampleProof, sampleReport } from './sample-report.test-support.ts';
import { inconclusiveRun } from './sample-runs.test-support.ts';
import { terminalReport } from './terminal.ts';
import { inSentence } from './wording.ts';

const plain = { colour: false };
const failing = sampleReport({
  'HDR-1': {
    verdict: 'fail',
    summary: 'No 404 carries the three headers.',
    proofs: [
      sampleProof([
        sampleExchange({
          seq: 3,
          status: 404,
          headers: { limit: [], remaining: [], reset: [], date: [], retryAfter: [], other: {} },
        }),
      ]),
    ],
    suppresses: ['HDR-4'],
  },
  'HDR-4': { verdict: 'inconclusive', summary: 'needs HDR-1', suppressedBy: ['HDR-1'] },
});

test('a passing run fits on one screen and starts with the verdict', () => {
  const text = terminalReport(sampleReport());
  expect(text.split('\n').length).toBeLessThanOrEqual(24);
  expect(text.trimStart().split('\n')[0]).toBe('CONFORMS');
  expect(text).toContain('acme-size-charts 2.3.1 conforms to the Size Chart Service API v1');
});

test('a failure shows its sentence, the requests that show it, and what to do', () => {
  const text = terminalReport(failing, plain);
  expect(text.trimStart().split('\n')[0]).toBe('DOES NOT CONFORM');
  expect(text).toContain('✗ HDR-1  No 404 carries the three headers.');
  expect(text).toMatch(/\n {2}cause {5}\S.*(\n {12}\S.*)*\n {2}do {8}\S/);
  expect(text).toMatch(/#3 +1\.250 s +key-1 +GET \/labels +404 +— +— +—/);
  expect(text).toContain('so also   HDR-4 is inconclusive.');
});

test('a part that is waived is named where the rest fails', () => {
  const waiver = { requirement: 'HDR-1', part: '404', reason: 'known', until: '2026-12-31', daysLeft: 40, used: true };
  expect(terminalReport({ ...failing, waivers: [waiver] }, plain)).toContain(
    '~ HDR-1, 404  waived until 2026-12-31: known',
  );
});

test('what could not be judged comes with what to do', () => {
  const text = terminalReport(
    sampleReport({
      'AUTH-6': { verdict: 'not tested', summary: 'no restricted key', remedy: 'Set SIZE_CHART_RESTRICTED_KEY.' },
    }),
    plain,
  );
  expect(text).toContain('– AUTH-6  not tested\n  Set SIZE_CHART_RESTRICTED_KEY.');
});

test('a failure with the causes and remedies of an earlier one names that one', () => {
  const remedy = 'Usually another limit is configured. Configure the limit of clause 8.';
  const failed = (seq: number) =>
    ({
      verdict: 'fail',
      summary: 'The limit is 110.',
      remedy,
      proofs: [sampleProof([sampleExchange({ seq })])],
    }) as const;
  const text = terminalReport(sampleReport({ 'LIMIT-R': failed(1), 'LIMIT-W': failed(2) }), plain);
  expect(text.match(/Configure the limit of clause 8/g)).toHaveLength(1);
  expect(text).toMatch(/LIMIT-W {2}The limit is 110[^✗]*\n {2}do {8}The same as for LIMIT-R\.\n/);
});

test('where two defects break a requirement, what to do about each follows its cause', () => {
  const remedy = 'Usually a plan is meant. Treat all keys alike. Usually a job is late. Compare the end with the time.';
  const proofs = [sampleProof([sampleExchange({ seq: 1 })])];
  const report = sampleReport({ 'LIMIT-WINDOW': { verdict: 'fail', summary: 'Windows end early.', remedy, proofs } });
  const lines = terminalReport(report, plain).split('\n');
  expect(lines.flatMap((line) => /^ {2}(cause|do) +(.*)/.exec(line)?.slice(1).join(': ') ?? [])).toEqual([
    'cause: A plan is meant.',
    'do: Treat all keys alike.',
    'cause: A job is late.',
    'do: Compare the end with the time.',
  ]);
});

test('an interrupted or scaled run says so', () => {
  const run = { ...sampleReport().run, outcome: 'interrupted' as const, scale: 30 };
  const text = terminalReport(sampleReport({}, { run }), plain);
  expect(text).toContain('! The run was interrupted: unfinished experiments are not judged.');
  const ended = sampleReport({}, { run: { ...run, interruption: 'ended early after a failure' } });
  expect(terminalReport(ended, plain).replace(/\s+/g, ' ')).toContain(
    '! The run was interrupted (ended early after a failure): unfinished experiments are not judged.',
  );
  expect(text).toContain('! Time ran 30 times faster');
});

test('no control character of a target reaches the terminal', () => {
  const hostile = '\x1b]0;owned\x07\u202e\r\n\x9b31m';
  const text = terminalReport(
    sampleReport(
      {
        'HDR-2': {
          verdict: 'fail',
          summary: `got ${hostile}`,
          proofs: [
            sampleProof(
              [
                sampleExchange({
                  headers: {
                    limit: [hostile],
                    remaining: [hostile],
                    reset: [hostile],
                    date: [],
                    retryAfter: [],
                    other: {},
                  },
                }),
              ],
              { received: hostile, argument: [hostile], diagnosis: hostile },
            ),
          ],
        },
      },
      { target: { name: hostile, version: hostile, baseUrl: `http://${hostile}` } },
    ),
    plain,
  );
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test('colour is there only when asked for', () => {
  expect(terminalReport(failing, { colour: true })).toContain('\x1b[31m');
  expect(terminalReport(failing, plain)).not.toContain('\x1b');
});

test('where one obstacle kept everything from being judged, it is told once', () => {
  const text = terminalReport(inconclusiveRun, plain);
  expect(text.match(/Nothing listens/g)).toHaveLength(1);
  expect(text.split('\n').length).toBeLessThanOrEqual(24);
});

test('prose fits 80 columns, indented below its own text, and loses no word', () => {
  const long = 'Something that takes more room than a line has, and that is not to be cut in the middle of a word.';
  const report = sampleReport({
    'HDR-1': {
      verdict: 'fail',
      summary: long,
      proofs: [sampleProof([sampleExchange({ seq: 3 })], { diagnosis: long })],
    },
  });
  for (const colour of [false, true]) {
    const lines = stripVTControlCharacters(terminalReport(report, { colour })).split('\n');
    expect(lines.filter((line) => line.length > 80 && !/^ +#/.test(line))).toEqual([]);
    const first = lines.findIndex((line) => line.startsWith('  looks like  something'));
    expect(lines[first + 1]).toMatch(/^ {14}\S/);
    expect(`${lines[first]?.slice(14)} ${lines[first + 1]?.trim()}`).toBe(inSentence(long));
  }
});

test('a failing run ends with what fails, and where to read on', () => {
  expect(terminalReport(failing, plain)).toMatch(/✗ 1 fails: HDR-1\n.*\nnpx \S+ judge trace\.ndjson --explain HDR-1\n/);
  // As the user has started it, and the failure that the others follow from.
  const program = 'node bin/size-chart-conformance.js';
  const proofs = failing.verdicts.find(({ id }) => id === 'HDR-1')?.proofs ?? [];
  const both = sampleReport({
    'HDR-1': { verdict: 'fail', proofs, followsFrom: ['HDR-2'] },
    'HDR-2': { verdict: 'fail', proofs },
  });
  expect(terminalReport(both, { ...plain, program })).toContain('✗ 1 fails: HDR-2; 1 more because of it: HDR-1\n');
  expect(terminalReport(both, { ...plain, program })).toContain(`${program} judge trace.ndjson --explain HDR-2\n`);
  // Pasted in two pieces, it would be two commands.
  const trace = `${'a long path/'.repeat(9)}trace.ndjson`;
  expect(terminalReport(both, { ...plain, program, trace })).toContain(`judge '${trace}' --explain HDR-2\n`);
});
