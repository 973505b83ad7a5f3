import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RUNNER_OPTIONS } from '../../suites/runner-options.ts';
import type { RunOptions } from '../drive/run.ts';
import { packageRoot } from '../package-root.ts';
import { ENDING_SIGNALS } from './ending-signals.ts';

/** The suites could not run: the fault is in this package, its installation or this machine, never in the target. */
export class EngineError extends Error {
  override name = 'EngineError';
}

/** Errors of the drive that neither the trace nor the target shows: a full disk, a missing certificate file. */
const FAULTS: ReadonlySet<string> = new Set(['TraceError', 'RequestError']);

/**
 * Runs the suites in the test runner, as `npx vitest` would, and resolves when they have ended. The trace file has the
 * results; the runner's own result says only whether it could run the suites.
 *
 * @throws EngineError if no test ran, or if the drive could not work at all
 */
export async function runSuites(run: RunOptions): Promise<void> {
  // The runner always writes a token file for a server, although that server is off here. The file goes to the
  // temporary folder, not to the user's home.
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
      // Node.js loads the suites directly: they need no transformation by Vite.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      cache: false,
      api: false,
      reporters: [{}],
      provide: { run },
      // A separate channel carries the progress and the interruption of the run through the runner.
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
    // A failed requirement is not a failure of the runner: the verdict decides the exit code.
    process.exitCode = exitCode;
  }
}

/**
 * Keeps the runner from listening to signals: it would end the process at once, before any report, but the command ends
 * the run in order. Returns a function that allows listeners again.
 */
function keepSignals(): () => void {
  const drop = (name: string | symbol, listener: (...args: unknown[]) => void): void => {
    // Node emits this event before it adds the listener. No signal arrives before this turn of the event loop ends.
    if (ENDING_SIGNALS.some((signal) => signal === name)) queueMicrotask(() => process.removeListener(name, listener));
  };
  process.on('newListener', drop);
  return () => process.removeListener('newListener', drop);
}

function describe(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
