import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { judgeFile } from '../../src/cli/judge-file.ts';
import { sampleReports } from './sample.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TRACE = join(ROOT, 'reports/sample/trace.ndjson');

test('the sample run is a complete pass in real time, and small', async () => {
  const { result, run } = await judgeFile(TRACE);
  expect(result).toMatchObject({ overall: 'conforms', certifiable: true, blockers: [] });
  expect(run).toMatchObject({ command: 'certify', outcome: 'complete', scale: 1 });
  expect(statSync(TRACE).size).toBeLessThan(1_500_000);
});

test('its reports are what this release makes of its trace', async () => {
  for (const { path, text } of await sampleReports(ROOT)) expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text);
});
