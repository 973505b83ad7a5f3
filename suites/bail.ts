/**
 * How long a failing test waits for the runner to act on the one before, in real ms. The runner counts failures with a
 * delay of a tenth of a second.
 */
const PATIENCE_MS = 500;

/** Lets tests fail one after another, and none once the runner is ending. */
export interface FailureGate {
  /**
   * Resolves when it is this test's turn: whether it may fail, or the run has ended before (it then ends as skipped).
   */
  mayFail(signal: AbortSignal): Promise<boolean>;
}

/**
 * With `--bail`, every failure makes the runner end, and at the second it kills its worker: the tests that had just
 * ended then have no result, and some reporters show them as passed. So no second one fails before the runner has acted
 * on the first.
 *
 * @param bail how many failures end the run; 0: none does, and no test waits
 */
export function openFailureGate(bail: number, patience = PATIENCE_MS): FailureGate {
  let last: Promise<void> | null = null;
  return {
    async mayFail(signal) {
      if (bail === 0) return true;
      const before = last;
      const turn = Promise.withResolvers<void>();
      last = turn.promise;
      await before;
      if (before !== null) await abortedWithin(patience, signal);
      turn.resolve();
      return !signal.aborted;
    },
  };
}

function abortedWithin(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
