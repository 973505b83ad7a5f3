import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RUNNER_OPTIONS } from '../../suites/runner-options.ts';
import type { RunOptions } from '../drive/run.ts';

/** The suites could not be run at all: a fault of this package or its installation, never of the target. */
export class EngineError extends Error {
  override name = 'EngineError';
}

/**
 * Runs the suites in the test runner, as `npx vitest` would, and resolves when they have ended. What they found is in
 * the trace file; the runner's own result says only whether it could run them.
 *
 * @throws EngineError where no test ran
 */
export async function runSuites(run: RunOptions): Promise<void> {
  const { createVitest } = await import('vitest/node');
  const extension = extname(fileURLToPath(import.meta.url));
  const root = packageRoot();
  const entry = join(root, extension === '.ts' ? '' : 'dist', 'suites', `all.suite${extension}`);
  const signalHandlers = new Map(
    (['SIGINT', 'SIGTERM'] as const).map((name) => [name, process.listeners(name)] as const),
  );
  const exitCode = process.exitCode;
  const vitest = await createVitest(
    {
      ...RUNNER_OPTIONS,
      exclude: [...RUNNER_OPTIONS.exclude],
      tags: [...RUNNER_OPTIONS.tags],
      root,
      config: false,
      watch: false,
      include: [entry],
      fsModuleCache: false,
      cache: false,
      api: false,
      reporters: [{}],
      provide: { run },
      // The run's progress and its interruption cross the runner by a channel of their own.
      silent: true,
    },
    { envDir: false, cacheDir: join(root, 'node_modules', '.vite-unused'), clearScreen: false },
  );
  dropRunnersSignalHandlers(signalHandlers);
  try {
    const { testModules, unhandledErrors } = await vitest.start();
    const tests = testModules.flatMap((module) => [...module.children.allTests()]);
    if (tests.length > 0) return;
    const errors = [...testModules.flatMap((module) => module.errors()), ...unhandledErrors];
    throw new EngineError(`no requirement was tested: ${errors.map(describe).join('; ') || 'the suites are missing'}`);
  } finally {
    await vitest.close();
    // A requirement that does not hold is no failure of the runner; the verdict decides the exit code.
    process.exitCode = exitCode;
  }
}

/** The folder that holds `suites` (in the repository) or `dist/suites` (in the package). */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** The runner ends the process on a signal at once, before anything is reported: the command ends the run in order. */
function dropRunnersSignalHandlers(
  before: ReadonlyMap<'SIGINT' | 'SIGTERM', readonly NodeJS.SignalsListener[] | readonly unknown[]>,
): void {
  for (const [name, known] of before) {
    for (const listener of process.listeners(name)) {
      if (!known.includes(listener)) process.removeListener(name, listener as NodeJS.SignalsListener);
    }
  }
}

function describe(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
