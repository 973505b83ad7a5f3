import { expect, test } from 'vitest';
import { leftOpen } from './left-open.ts';
import { sampleReport } from './sample-report.test-support.ts';

const notTested = (remedy: string) => ({ verdict: 'not tested', summary: 'no request', remedy }) as const;
const changes = {
  'AUTH-6': notTested('Set a restricted key.'),
  'LIMIT-R': notTested('Certify: that spends each budget.'),
  'LIMIT-ATOMIC': notTested('Certify: that sends bursts.'),
};

test('what check leaves out by design is told in one line, and what the profile lacks by itself', () => {
  const { run } = sampleReport();
  const told = (command: string) =>
    leftOpen(sampleReport(changes, { run: { ...run, command } })).map(({ ids, advice }) => [ids.join(), advice]);
  expect(told('check')).toEqual([
    ['AUTH-6', 'Set a restricted key.'],
    ['LIMIT-R,LIMIT-ATOMIC', 'check exhausts no budget. certify does, and tries these.'],
  ]);
  expect(told('certify')).toHaveLength(3);
});

const ALONE = 'Use keys that nobody else uses.';
const open = (summary: string, remedy = ALONE) => ({ verdict: 'inconclusive', summary, remedy }) as const;
const READS = 'The reads of key-1 seem to have been used by others.';
const WRITES = 'The writes of key-3 seem to have been used by others.';

test('where reads and writes are undecided for different things that were seen, both are told, each once', () => {
  const report = sampleReport({
    'HDR-4': open(`${READS} ${WRITES}`),
    'LIMIT-R': open(READS),
    'LIMIT-W': open(WRITES),
  });
  expect(leftOpen(report).map(({ advice }) => advice)).toEqual([`${READS} ${WRITES} ${ALONE}`]);
});

test('what is undecided for one of two reasons stands with what is for both, and no sentence is said twice', () => {
  const cause = (kind: string) => `If nobody else used these keys, this is the cause: The ${kind} are not counted.`;
  const report = sampleReport({
    'HDR-4': open(`${READS} ${WRITES}`, `${ALONE} ${cause('reads')} ${ALONE} ${cause('writes')}`),
    'LIMIT-R': open(READS, `${ALONE} ${cause('reads')}`),
    'LIMIT-W': open(WRITES, `${ALONE} ${cause('writes')}`),
    'LIMIT-KEY': open('No budget came back.', `${ALONE} Run certify.`),
  });
  expect(leftOpen(report).map(({ ids, advice }) => `${ids.join()}: ${advice}`)).toEqual([
    `HDR-4,LIMIT-R,LIMIT-W: ${READS} ${WRITES} ${ALONE} ${cause('reads')} ${cause('writes')}`,
    'LIMIT-KEY: No budget came back. Run certify. See also HDR-4.',
  ]);
});

const probe = 'add a probe to probes.forbidden of the profile';

test('each remedy is said once: a row whose remedies other rows have names these rows', () => {
  const report = sampleReport({
    'AUTH-6': notTested(probe),
    'STATUS-403': notTested(probe),
    'STATUS-404': notTested('Add a probe to probes.not_found of the profile.'),
    'HDR-1': notTested(`${probe}; add a probe to probes.not_found of the profile`),
    'LIMIT-R': notTested(`${probe}; run certify`),
  });
  expect(leftOpen(report).map(({ ids, advice }) => `${ids.join()}: ${advice}`)).toEqual([
    'AUTH-6,STATUS-403: Add a probe to probes.forbidden of the profile.',
    'STATUS-404: Add a probe to probes.not_found of the profile.',
    'HDR-1: See AUTH-6 and STATUS-404.',
    'LIMIT-R: Run certify. See also AUTH-6.',
  ]);
});

test('of many different things none is told before the others', () => {
  const seen = ['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4'].map((id) => [id, open(`${id} met no answer.`)]);
  expect(leftOpen(sampleReport(Object.fromEntries(seen))).map(({ advice }) => advice)).toEqual([ALONE]);
});

test('what was seen of one requirement is not said of another with the same remedy', () => {
  const mend = 'Fix HDR-4 first, and run again.';
  const report = sampleReport({
    'HDR-5': open('This cannot be judged because of HDR-4.', mend),
    'LIMIT-R': open('Of 31 reads it is open which were counted.', mend),
    'LIMIT-HISTORY': open('This cannot be judged because of HDR-4.', mend),
  });
  expect(leftOpen(report).map(({ ids, advice }) => `${ids.join()}: ${advice}`)).toEqual([
    `HDR-5,LIMIT-HISTORY: This cannot be judged because of HDR-4. ${mend}`,
    'LIMIT-R: Of 31 reads it is open which were counted. See HDR-5.',
  ]);
});

test('a step about failures that an earlier row has is told by these failures, and not by that row', () => {
  const mend = 'This may depend on HDR-5, which fails: fix that first, and run again.';
  const report = sampleReport({
    'HDR-5': { verdict: 'fail', summary: 'A limit of its own.' },
    'AUTH-1': open('Nothing could be sent.', mend),
    'AUTH-6': open('Every answer was 429.', mend),
  });
  expect(leftOpen(report).map(({ ids, advice }) => `${ids.join()}: ${advice}`)).toEqual([
    `AUTH-1: Nothing could be sent. ${mend}`,
    'AUTH-6: Every answer was 429. See HDR-5.',
  ]);
});

test('of a requirement that was tested in part it is said what passed', () => {
  const parts = (statuses: readonly string[], verdict: 'pass' | 'not tested') =>
    statuses.map((name) => ({ name, verdict, witnesses: 0, summary: '' }));
  const headers = [...parts(['200', '400', '401'], 'pass'), ...parts(['403'], 'not tested')];
  const nothing = { ...notTested(probe), parts: parts(['get-label', 'put-label'], 'not tested') };
  const report = sampleReport({ 'AUTH-6': nothing, 'HDR-1': { ...notTested(probe), parts: headers } });
  expect(leftOpen(report).map(({ ids, advice }) => `${ids.join()}: ${advice}`)).toEqual([
    'AUTH-6: Add a probe to probes.forbidden of the profile.',
    'HDR-1: It passes for 200, 400 and 401, and was not tested for 403. See AUTH-6.',
  ]);
});
