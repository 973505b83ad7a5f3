import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const BIN = fileURLToPath(new URL('../../bin/size-chart-conformance.js', import.meta.url));

test('a file of keys that does not exist is said by the suite, and not by Node.js', () => {
  const { status, stderr } = spawnSync(process.execPath, [BIN, 'check', '--keys-file', 'missing.env'], {
    encoding: 'utf8',
  });
  expect(stderr).toBe(
    'size-chart-conformance: missing.env: there is no such file. Check the path given with --keys-file.\n',
  );
  expect(status).toBe(2);
});
