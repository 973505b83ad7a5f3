import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REQUIREMENTS } from '../src/catalogue/requirements.ts';
import { demo } from '../src/cli/demo.ts';
import type { Report } from '../src/report/report.ts';

const SILENT = { dryRun: false, json: false, quiet: true, colour: false, verbose: false, reporters: [] };

// What was declared is compared with what a real run emits: a requirement that no code judges shows here. The first
// time it builds k6.
test('a run of the suites judges every requirement of the catalogue, once, and the reference server conforms', async () => {
  const out = mkdtempSync(join(tmpdir(), 'suites-'));
  try {
    const code = await demo({ out, seed: 3, scale: 15 }, SILENT);
    const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report;
    expect(report.verdicts.map((each) => each.id)).toEqual(REQUIREMENTS.map((each) => each.id));
    expect(report.verdicts.filter((each) => each.verdict === 'fail')).toEqual([]);
    expect(report.result.overall).toBe('conforms');
    expect(code).toBe(0);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}, 600_000);
