import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { judgeTrace } from '../judge/judge-trace.ts';
import { NO_HEADERS } from '../trace/exchange.ts';
import { readTrace } from '../trace/read-trace.ts';
import type { Trace } from '../trace/trace.ts';
import { ctrfReport } from './ctrf.ts';
import { junitReport } from './junit.ts';
import { makeReport } from './make-report.ts';
import type { Report } from './report.ts';
import { busyRun, failingRun, inconclusiveRun, interruptedRun, passingRun } from './sample-runs.test-support.ts';

/** What others publish for the formats that we write; `fixtures/README.md` has their sources and licences. */
const published = (file: string): string => readFileSync(new URL(`fixtures/${file}`, import.meta.url), 'utf8');
const xsd = { fileName: 'junit-10.xsd', contents: published('junit-10.xsd') };
const ajv = new Ajv({ allErrors: true });
addFormats.default(ajv);
const validCtrf = ajv.compile(JSON.parse(published('ctrf-0.0.schema.json')));

const recorded = await readTrace(join(fileURLToPath(new URL('../..', import.meta.url)), 'reports/sample/trace.ndjson'));

/** The recorded run of a server that leaves its headers out of each answer of 404. */
const failing: Trace = {
  ...recorded,
  exchanges: recorded.exchanges.map((each) => (each.status === 404 ? { ...each, headers: NO_HEADERS } : each)),
};
const waiver = { requirement: 'HDR-1', part: null, reason: 'the new gateway', until: '2999-12-31' } as const;
const waived: Trace = {
  ...failing,
  header: { ...failing.header, profile: { ...failing.header.profile, waivers: [waiver] } },
};
const interrupted: Trace = { ...recorded, exchanges: recorded.exchanges.slice(0, 300), footer: null };
const unreachable: Trace = {
  ...recorded,
  exchanges: recorded.exchanges.slice(0, 5).map((each) => {
    return { ...each, status: null, answered: null, failure: 'refused', headers: NO_HEADERS };
  }),
};
const reportOf = (trace: Trace): Report => makeReport(trace, judgeTrace(trace), 'd'.repeat(64));

describe.each([
  ['a recorded run that passes', () => reportOf(recorded), 'conforms'],
  ['one that fails', () => reportOf(failing), 'does not conform'],
  ['one whose failure is waived', () => reportOf(waived), 'conforms'],
  ['one that was interrupted', () => reportOf(interrupted), 'incomplete'],
  ['one that reached nothing', () => reportOf(unreachable), 'inconclusive'],
  ['a made-up report that passes', () => passingRun, 'conforms'],
  ['one of a hostile target', () => failingRun, 'does not conform'],
  ['one that is incomplete', () => interruptedRun, 'incomplete'],
  ['one that is inconclusive', () => inconclusiveRun, 'inconclusive'],
  ['one of many budgets', () => busyRun, 'conforms'],
] as const)('the report of %s', (_name, make, overall) => {
  const report = make();

  test('is of its kind', () => {
    expect(report.result.overall).toBe(overall);
  });

  test('is valid JUnit by the published schema', async () => {
    const result = await validateXML({
      xml: { fileName: 'junit.xml', contents: junitReport(report) },
      schema: xsd,
    });
    expect(result.errors).toEqual([]);
  });

  test('is valid CTRF by the published schema', () => {
    validCtrf(JSON.parse(ctrfReport(report)));
    expect(validCtrf.errors).toBeNull();
  });
});

test('the schemas refuse what they do not know', async () => {
  const junit = junitReport(passingRun).replace('<testcase ', '<testcase file="suite.ts" ');
  expect((await validateXML({ xml: junit, schema: xsd })).errors).toHaveLength(1);
  expect(validCtrf({ ...JSON.parse(ctrfReport(passingRun)), further: 1 })).toBe(false);
});
