import type { Reporter, TestCase, TestModule, TestSpecification } from 'vitest/node';

/** Real ms between two lines. */
const LINE_EVERY = 15_000;

/**
 * Says now and then how far the tests are, where the runner does not: in a log, in which its own line of progress is
 * not drawn.
 */
export default class ProgressReporter implements Reporter {
  readonly #running = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #files = 0;
  #ended = 0;
  #tests = 0;
  #failed = 0;

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length;
    if (process.stdout.isTTY) return;
    this.#timer = setInterval(() => this.#say(), LINE_EVERY);
    this.#timer.unref();
  }

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.#running.add(relativeModuleId);
  }

  onTestCaseResult(test: TestCase): void {
    this.#tests += 1;
    if (test.result().state === 'failed') this.#failed += 1;
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.#running.delete(relativeModuleId);
    this.#ended += 1;
  }

  onTestRunEnd(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  #say(): void {
    const running = this.#running.size > 0 ? `; at ${[...this.#running].join(', ')}` : '';
    console.log(`${this.#ended} of ${this.#files} files, ${this.#tests} tests, ${this.#failed} failed${running}`);
  }
}
