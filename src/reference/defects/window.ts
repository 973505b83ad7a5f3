import { SECOND, WINDOW } from '../../deployment/deployment.ts';
import type { MovedEnd } from '../../deployment/deviations/moved-end.ts';
import type { OtherMechanism } from '../../deployment/deviations/other-mechanism.ts';
import type { WindowLength } from '../../deployment/deviations/window-length.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { limiterOf } from '../mechanisms/mechanics.ts';
import { phaseOf } from '../mechanisms/phase.ts';
import { slidingCounter } from '../mechanisms/sliding-counter.ts';
import { type Defect, deviating, deviation, handMade, limiter, WINDOWS } from './defect.ts';

const ANCHORED = { variant: 'anchored' } as const;
const REFRESHED = { ...ANCHORED, diagnosis: 'refreshed TTL' } as const;
const ETERNAL = { ...ANCHORED, diagnosis: 'no expiry' } as const;

function ofLength(length: number | null, but: Partial<WindowLength> = {}): Deviation {
  return deviation('window-length', { length, told: length ?? WINDOW, from: 'always', ...but });
}

function within(name: string, seconds: number): Defect {
  const observable = 'within the tolerance for clocks that tick in whole seconds';
  return deviating(name, 28, ofLength(seconds * SECOND), { observable });
}

function moved(trigger: MovedEnd['trigger'], told: boolean, to: MovedEnd['to'] = { after: WINDOW }): Deviation {
  return deviation('moved-end', { trigger, to, idle: 0, told });
}

function bucket(name: OtherMechanism['name']): Deviation {
  return deviation('other-mechanism', { name, burst: 1, marker: 'all' });
}

/** Windows that do not last a minute, or end too late, too early or never, and limiters without windows. */
export const WINDOW_DEFECTS: readonly Defect[] = [
  ...[57, 58, 62, 30, 120].map((seconds) =>
    deviating(`window-of-${seconds}-seconds`, 28, ofLength(seconds * SECOND), {
      description: `fixed windows of ${seconds} s`,
    }),
  ),
  within('window-of-59-seconds', 59),
  within('window-of-61-seconds', 61),
  deviating('refreshed-by-requests', 29, moved('request', true), REFRESHED),
  deviating('refreshed-unseen', 30, moved('request', false), REFRESHED),
  deviating('refreshed-by-refusals', 31, moved('refusal', true), REFRESHED),
  deviating('refreshed-by-refusals-unseen', 31, moved('refusal', false), REFRESHED),
  deviating('never-back', 32, ofLength(null), ETERNAL),
  deviating('second-window-never-ends', 33, ofLength(null, { from: 'later windows' }), ETERNAL),
  deviating('old-count-new-marker', 34, deviation('carried-over', { what: 'old count' }), ANCHORED),
  deviating('evicts-after-counting', 42, deviation('carried-over', { what: 'old count' }), {
    variant: 'log',
    description:
      'a sliding log that throws out old entries after it has decided: a first request after a pause sees them',
  }),
  deviating('unused-carried-over', null, deviation('carried-over', { what: 'unused' }), ANCHORED),
  deviating('token-bucket', 36, bucket('token bucket'), { diagnosis: 'token bucket' }),
  deviating('gcra', 37, bucket('gcra'), { diagnosis: 'GCRA' }),
  deviating('leaky-bucket', 38, bucket('leaky bucket'), { diagnosis: 'leaky bucket' }),
  deviating('penalty-block', 39, moved('first refusal', true), { ...ANCHORED, diagnosis: 'penalty block of 60 s' }),
  deviating('growing-block', 43, moved('refusal', true, { later: 5 * SECOND }), {
    ...ANCHORED,
    diagnosis: 'penalty block',
  }),
  deviating('back-after-45-seconds', 40, ofLength(45 * SECOND, { told: WINDOW }), ANCHORED),
  handMade('forgotten-bucket', 'a sliding counter that forgets the previous bucket half a minute too early', {
    number: 41,
    must: ['LIMIT-HISTORY'],
    may: WINDOWS,
    change: limiter(() => limiterOf(slidingCounter({ phase: phaseOf('clock', 0), forgetAfter: 0.5 }))),
    variant: 'counter',
  }),
];
