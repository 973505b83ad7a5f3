import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judgeTrace } from '../judge/judge-trace.ts';
import { makeReport } from '../report/make-report.ts';
import { serialiseReport } from '../report/report.ts';
import { countsText } from '../report/wording.ts';
import { readTrace } from '../trace/read-trace.ts';
import { attestRun } from './attest.ts';
import type { Judge } from './judge-again.ts';
import { digestOfTrace, makeRun, SUITE } from './run.test-support.ts';
import { verifyRun } from './verify.ts';

const judge: Judge = (trace, traceDigest) => makeReport(trace, judgeTrace(trace), traceDigest);
const { privateKey, publicKey } = generateKeyPairSync('ed25519');

test.each([
  ['a failure', [200, 200, 500], 'FAILED'],
  ['too little', [200], 'WARNED'],
])('%s, as the suite itself judges it, is attested and verified as %s', async (_, statuses, result) => {
  const run = await makeRun({ statuses });
  const trace = await readTrace(join(run, 'trace.ndjson'));
  writeFileSync(join(run, 'report.json'), serialiseReport(await judge(trace, digestOfTrace(run))));

  expect((await attestRun({ run, key: privateKey, suite: SUITE, judge })).result).toBe(result);
  const verification = await verifyRun({ run, key: publicKey, suite: SUITE, judge });
  expect(verification).toMatchObject({ outcome: 'verified', result });
  const counts = countsText(await judge(trace, digestOfTrace(run)));
  expect(verification.checks.find(({ name }) => name === 'result')?.text).toContain(`the report: ${counts}; `);
});
