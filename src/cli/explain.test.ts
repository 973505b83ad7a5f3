import { describe, expect, test } from 'vitest';
import { sampleExchange } from '../report/sample-exchange.test-support.ts';
import { sampleProof, sampleReport } from '../report/sample-report.test-support.ts';
import { explain } from './explain.ts';

const bare = { limit: [], remaining: [], reset: ['a|b\u001b[31m'], date: [], retryAfter: [], other: {} };
const proof = sampleProof([sampleExchange({ seq: 3, status: 404, headers: bare })], { diagnosis: 'token bucket' });
const report = sampleReport({
  'HDR-1': {
    verdict: 'fail',
    summary: 'no 404 carries the three headers',
    proofs: [proof, proof],
    script: 'ask https://acme.example/api/v1/labels',
    parts: [
      { name: '200', verdict: 'pass', witnesses: 3, summary: 'all three' },
      { name: '429', verdict: 'pass', witnesses: 2, summary: 'all three' },
      { name: '404', verdict: 'fail', witnesses: 1, summary: 'none of the three' },
    ],
  },
});

describe('the argument for a failure', () => {
  const text = explain(report, 'HDR-1');

  test('says what was required, found and meant, to readers who do not know the suite', () => {
    expect(text).toMatch(/^## HDR-1: fail\n/);
    expect(text).toContain('Size Chart Service API v1, clause 8.2 (fixed):');
    expect(text).toContain('No 404 carries the three headers. Looks like: **token bucket**.');
    expect(text).toMatch(/Seen at acme-size-charts 2\.3\.1, https:\S+, on 2026-03-14 \d\d:\d\d UTC/);
    expect(text).toContain('#12 is the twelfth request');
    expect(text).toContain('### What it means');
  });

  test('names parts of which the same is said together', () => {
    expect(text).toContain('- 200, 429: pass. All three.\n- 404: fail. None of the three.\n');
  });

  test('shows each proof, and once how to see it again', () => {
    expect(text).toContain('### Proof 2 of 2');
    expect(text.match(/```sh\nask https:/g)).toHaveLength(1);
  });

  test('keeps what a target sent inside its cell', () => {
    expect(text).toContain('| — | — | a\\|b\\x1b[31m |');
  });
});

test('a pass needs no advice, and what was not selected is told', () => {
  expect(explain(report, 'AUTH-1')).not.toContain('What to do');
  const without = { ...report, verdicts: report.verdicts.filter(({ id }) => id !== 'AUTH-1') };
  expect(explain(without, 'AUTH-1')).toBe('AUTH-1 was not selected in this run.\n');
});
