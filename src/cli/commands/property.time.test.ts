import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const BIN = fileURLToPath(new URL('../../../bin/size-chart-conformance.js', import.meta.url));
const FIXTURE = fileURLToPath(new URL('../../init/fixtures/size-chart.openapi.yaml', import.meta.url));

test('property stops after two requests where nothing answers, as certify and check do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'property-'));
  const env = { PATH: process.env.PATH, SIZE_CHART_KEYS: 'a-made-up-key-1,a-made-up-key-2' };
  const run = (...argv: readonly string[]) =>
    spawnSync(process.execPath, [BIN, ...argv], { cwd: folder, env, encoding: 'utf8', timeout: 100_000 });
  try {
    run('init', '--openapi', FIXTURE, '--quiet');
    const { status, stdout } = run('property', '--base-url', 'http://127.0.0.1:1/api/v1', '--out', 'out');
    expect({ status, stdout }).toMatchObject({ status: 3, stdout: expect.stringMatching(/nothing listens at/i) });
    const sent = readFileSync(join(folder, 'out', 'trace.ndjson'), 'utf8').match(/"type":"exchange"/g);
    expect(sent).toHaveLength(2);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
