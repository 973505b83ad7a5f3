import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock/system-clock.ts';
import { startReference } from '../../src/reference/server.ts';
import { expectInOrder, KEYS, reportOf, run, temporaryFolder } from './command.test-support.ts';

/** Two windows, what comes before and after, and a busy machine. */
const LONGEST_MS = 200_000;

test(
  'in real time, windows of a minute: both variants conform, and could be certified',
  async () => {
    const cwd = temporaryFolder();
    await Promise.all(
      ['anchored', 'counter'].map(async (variant) => {
        const server = await startReference({ keys: KEYS, clock: systemClock(), variant });
        try {
          const own = join(cwd, variant);
          mkdirSync(own);
          const folder = join(own, 'out');
          const ended = await run(['certify'], { baseUrl: server.baseUrl, cwd: own });
          await expectInOrder(ended, 0, folder);
          const { result, run: conditions } = reportOf(folder);
          expect(result).toMatchObject({ overall: 'conforms', certifiable: true, blockers: [] });
          expect(conditions.scale).toBe(1);
        } finally {
          await server.close();
        }
      }),
    );
  },
  LONGEST_MS,
);
