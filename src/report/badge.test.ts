import { XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { badge } from './badge.ts';
import { sampleReport } from './sample-report.test-support.ts';

test('a badge names the verdict, the version of the suite and the day', () => {
  const svg = badge(sampleReport());
  expect(XMLValidator.validate(svg)).toBe(true);
  expect(svg).toContain('<title>Size Chart API v1: conforms · suite 0.1.0 · 2026-03-14</title>');
});

test('a rehearsal in scaled time cannot be mistaken for a run', () => {
  const report = sampleReport();
  expect(badge({ ...report, run: { ...report.run, scale: 30 } })).toContain('conforms (rehearsal)');
});
