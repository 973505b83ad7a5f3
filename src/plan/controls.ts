import type { Track } from './tracks.ts';
import { costOf, type Trial } from './trials.ts';

/** Whether a request provokes an answer by a probe of the profile. */
export function provokes({ probe }: Trial): boolean {
  return probe !== null;
}

/** One request for each probe and key of a read: the plain request is sent again before it. */
export function firstOfEach(provoking: readonly Trial[]): readonly Trial[] {
  const reads = provoking.filter(({ operation }) => operation.kind === 'read');
  return [...new Map(reads.map((each) => [`${each.probe?.name} ${each.key}`, each])).values()];
}

/** The provoking requests for which the plan sends no plain request of the operation in the same way. */
export function uncontrolled(trials: readonly Trial[], planned: readonly Trial[]): readonly Trial[] {
  const plain = planned.filter(({ fault }) => fault === 'none');
  return trials.filter(
    (each) =>
      provokes(each) && !plain.some(({ operation, way }) => operation.id === each.operation.id && way === each.way),
  );
}

/** The plain counterpart of a provoking request: with a full key if that one has the restricted key. */
export function controlOf(trial: Trial, firstKey: string): Trial {
  return { ...trial, fault: 'none', probe: null, key: trial.key === 'restricted' ? firstKey : trial.key };
}

/** How much plain requests use of the budget before it is spent: that many fewer are needed to spend the rest. */
export function ridden({ role, key, kind }: Track, plain: readonly Trial[]): number {
  if (role === 'silent' || role === 'idle') return 0;
  const own = plain.filter((each) => each.fault === 'none' && each.key === key);
  return own.reduce((sum, each) => sum + costOf(each)[kind], 0);
}

/** Single requests with what prepares them. */
export function requestsOf(trials: readonly Trial[]): number {
  return trials.reduce((sum, { fault, operation }) => {
    const keyless = fault === 'no-key' || fault === 'bad-key';
    return sum + 1 + (keyless ? 0 : operation.prepare.length);
  }, 0);
}
