import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { ctrfReport } from './ctrf.ts';
import { sampleExchange, sampleProof, sampleReport } from './sample-report.test-support.ts';

/**
 * What the published schema of CTRF 0.0 says of the fields that we write: names, types and enumerations, nothing else
 * allowed. (The whole schema has more fields, none of them required.)
 */
const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const status = { enum: ['passed', 'failed', 'skipped', 'pending', 'other'] } as const;
const extra = { type: 'object' } as const;
const closed = (properties: Record<string, object>, required: readonly string[]): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const valid = new Ajv({ allErrors: true, strict: false }).compile(
  closed(
    {
      reportFormat: { const: 'CTRF' },
      specVersion: { type: 'string', pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' },
      timestamp: text,
      generatedBy: text,
      results: closed(
        {
          tool: closed({ name: { type: 'string', minLength: 1 }, version: text, extra }, ['name']),
          summary: closed(
            {
              tests: count,
              passed: count,
              failed: count,
              skipped: count,
              pending: count,
              other: count,
              start: count,
              stop: count,
              duration: count,
            },
            ['tests', 'passed', 'failed', 'skipped', 'pending', 'other', 'start', 'stop'],
          ),
          tests: {
            type: 'array',
            items: closed(
              {
                name: { type: 'string', minLength: 1 },
                status,
                duration: count,
                suite: { type: 'array', minItems: 1, items: text },
                message: text,
                trace: text,
                rawStatus: text,
                tags: { type: 'array', items: text },
                type: text,
                extra,
              },
              ['name', 'status', 'duration'],
            ),
          },
          environment: closed({ reportName: text, appName: text, appVersion: text, osPlatform: text, extra }, []),
          extra,
        },
        ['tool', 'summary', 'tests'],
      ),
    },
    ['results', 'reportFormat', 'specVersion'],
  ),
);

const report = sampleReport({
  'HDR-1': { verdict: 'fail', proofs: [sampleProof([sampleExchange()], { received: '\x1b[31m"<' })] },
  'AUTH-6': { verdict: 'not tested', remedy: 'Set SIZE_CHART_RESTRICTED_KEY.' },
  'LIMIT-R': { verdict: 'inconclusive' },
  'LIMIT-W': { verdict: 'waived', waiver: { reason: 'migration', until: '2026-06-30' } },
});

test('the document is valid CTRF', () => {
  valid(JSON.parse(ctrfReport(report)));
  expect(valid.errors).toBeNull();
});

test('only a pass is passed', () => {
  const { results } = JSON.parse(ctrfReport(report));
  const byName = new Map<string, { status: string; rawStatus: string }>(
    results.tests.map((each: { name: string; status: string; rawStatus: string }) => [each.name, each]),
  );
  expect(byName.get('HDR-1')?.status).toBe('failed');
  expect(byName.get('AUTH-6')).toMatchObject({ status: 'skipped', rawStatus: 'not tested' });
  expect(byName.get('LIMIT-R')).toMatchObject({ status: 'other', rawStatus: 'inconclusive' });
  expect(byName.get('LIMIT-W')).toMatchObject({ status: 'other', rawStatus: 'waived' });
  const { tests, passed, failed, skipped, other } = results.summary;
  expect(tests).toBe(REQUIREMENTS.length);
  expect(passed + failed + skipped + other).toBe(tests);
  expect(failed).toBe(1);
});
