import { expect, test } from 'vitest';
import { githubAnnotations } from './annotations.ts';
import { sampleExchange } from './sample-exchange.test-support.ts';
import { sampleProof, sampleReport } from './sample-report.test-support.ts';
import { inconclusiveRun, largestRun } from './sample-runs.test-support.ts';

test('a failure is an error with its title and sentence, and cannot end the command', () => {
  const summary = '100 % of them, or:\nmore';
  const report = sampleReport({
    'HDR-1': { verdict: 'fail', summary, proofs: [sampleProof([sampleExchange()])] },
  });
  expect(githubAnnotations(report)).toBe(
    '::error title=HDR-1 The three headers on every response::100 %25 of them, or:\\nmore.\n',
  );
});

test('at most ten are printed, the last of them saying how many more there are', () => {
  const lines = githubAnnotations(largestRun).trim().split('\n');
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toContain('27 further failures');
});

test('a run that decided nothing is a warning, and one that conforms needs no mark', () => {
  expect(githubAnnotations(inconclusiveRun)).toBe('::warning title=Inconclusive::The target could not be reached.\n');
  expect(githubAnnotations(sampleReport())).toBe('');
});
