import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyExchange } from '../trace/trace.test-support.ts';
import { type Report, serialiseReport } from './report.ts';
import { sampleExchange } from './sample-exchange.test-support.ts';
import { sampleLoad } from './sample-load.test-support.ts';
import { sampleProof, sampleReport } from './sample-report.test-support.ts';

const schema = JSON.parse(readFileSync(new URL('../../schema/report.schema.json', import.meta.url), 'utf8'));
const valid = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema);

const full = sampleReport(
  {
    'HDR-1': {
      verdict: 'fail',
      proofs: [sampleProof([sampleExchange({ failure: 'reset', status: null, answered: null })])],
      parts: [{ name: '404', verdict: 'fail', witnesses: 3, summary: 'missing' }],
      replay: 'npx size-chart-conformance certify --only HDR-1',
    },
    'LIMIT-W': { verdict: 'waived', waiver: { reason: 'migration', until: '2026-06-30' } },
  },
  {
    load: sampleLoad(),
    problems: [{ code: 'waiver-expired', text: 'expired', remedy: 'remove it' }],
    waivers: [
      { requirement: 'LIMIT-W', part: null, reason: 'migration', until: '2026-06-30', daysLeft: 108, used: true },
    ],
  },
);

test('reports are valid against the published schema', () => {
  for (const report of [sampleReport(), full]) {
    valid(JSON.parse(serialiseReport(report)));
    expect(valid.errors).toBeNull();
  }
});

test('every exchange that a trace may hold may be evidence', () => {
  fc.assert(
    fc.property(anyExchange, (exchange) => {
      valid(JSON.parse(serialiseReport(sampleReport({ 'HDR-1': { proofs: [sampleProof([exchange])] } }))));
      expect(valid.errors).toBeNull();
    }),
  );
});

test('the schema is closed: a field that it does not know is an error', () => {
  expect(valid({ ...JSON.parse(serialiseReport(full)), extra: 1 })).toBe(false);
  expect(valid({ ...JSON.parse(serialiseReport(full)), verdicts: [{ id: 'HDR-1', verdict: 'maybe' }] })).toBe(false);
});

test('serialising loses nothing, and short lists of numbers stay on one line', () => {
  const hostile = '[\n  1,\n  2\n]';
  const report: Report = sampleReport({ 'HDR-1': { summary: hostile } });
  const text = serialiseReport(report);
  expect(JSON.parse(text)).toEqual(report);
  expect(text).toMatch(/"time": \[1000, 1023, /);
});
