import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const BIN = fileURLToPath(new URL('../../../bin/size-chart-conformance.js', import.meta.url));
const SAMPLE = fileURLToPath(new URL('../../../reports/sample', import.meta.url));

test('the folder of a run is judged as its trace is', () => {
  const judged = [SAMPLE, `${SAMPLE}/trace.ndjson`].map((path) => {
    const { status, stdout } = spawnSync(process.execPath, [BIN, 'judge', path, '--json'], { encoding: 'utf8' });
    return { status, stdout };
  });
  expect(judged[0]?.stdout).toContain('"overall"');
  expect(judged[0]).toEqual(judged[1]);
});
