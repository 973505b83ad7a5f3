import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RUNNER_OPTIONS } from '../../suites/runner-options.ts';
import type { RunOptions } from '../drive/run.ts';
import { packageRoot } from '../package-root.ts';

/** The suites could not be run: a fault of this package, its installation or this machine, never of the target. */
export class EngineError extends Error {
  override name = 'EngineError';
}

/** What the drive throws where neither the trace nor the target can tell of it: a full disk, a certificate file that is not there. */
const FAULTS: ReadonlySet<string> = new Set(['TraceError', 'RequestError']);

/**
 * Runs the suites in the test runner, as `npx vitest` would, and resolves when they have ended. What they found is in
 * the trace file; the runner's own result says only whether it could run them.
 *
 * @throws EngineError where no test ran, or where the drive could not do its work at all
 */
export async function runSuites(run: RunOptions): Promise<void> {
  // The runner insists on a token file for a server that is off here: it goes where temporary things do, not into the user's home.
  process.env.XDG_DATA_HOME ??= join(tmpdir(), `size-chart-conformance-${process.getuid?.() ?? 'user'}`);
  const { createVitest } = await import('vitest/node');
  const extension = extname(fileURLToPath(import.meta.url));
  const root = packageRoot();
  const entry = join(root, extension === '.ts' ? '' : 'dist', 'suites', `all.suite${extension}`);
  const exitCode = process.exitCode;
  const releaseSignals = keepSignals();
  const vitest = await createVitest(
    {
      ...RUNNER_OPTIONS,
      exclude: [...RUNNER_OPTIONS.exclude],
      tags: [...RUNNER_OPTIONS.tags],
      root,
      config: false,
      watch: false,
      include: [entry],
      // The suites are loaded as Node.js loads them: nothing in them needs what Vite would make of them first.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      cache: false,
      api: false,
      reporters: [{}],
      provide: { run },
      // The run's progress and its interruption cross the runner by a channel of their own.
      silent: true,
    },
    { envDir: false, cacheDir: join(root, 'node_modules', '.vite-unused'), clearScreen: false },
  );
  try {
    const { testModules, unhandledErrors } = await vitest.start();
    const tests = testModules.flatMap((module) => [...module.children.allTests()]);
    const fault = tests.flatMap((test) => test.result().errors ?? []).find(({ name }) => FAULTS.has(name ?? ''));
    if (fault) throw new EngineError(fault.message);
    if (tests.length > 0) return;
    const errors = [...testModules.flatMap((module) => module.errors()), ...unhandledErrors];
    throw new EngineError(`no requirement was tested: ${errors.map(describe).join('; ') || 'the suites are missing'}`);
  } finally {
    await vitest.close();
    releaseSignals();
    // A requirement that does not hold is no failure of the runner; the verdict decides the exit code.
    process.exitCode = exitCode;
  }
}

/**
 * Keeps the runner from listening to signals: it would end the process at once, before anything is reported, while the command
 * ends the run in order. Gives the function that lets others listen again.
 */
function keepSignals(): () => void {
  const drop = (name: string | symbol, listener: (...args: unknown[]) => void): void => {
    // A listener is told of before it is there; no signal is delivered before this turn of the loop has ended.
    if (name === 'SIGINT' || name === 'SIGTERM') queueMicrotask(() => process.removeListener(name, listener));
  };
  process.on('newListener', drop);
  return () => process.removeListener('newListener', drop);
}

function describe(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
