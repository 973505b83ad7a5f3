import type { RequirementId } from '../../catalogue/requirement.ts';
import type { Kind } from '../../trace/exchange.ts';
import { HOUR, ZONE_STEP } from '../../trace/marker-forms.ts';
import { type Answers, answersText, drawRoute, OF_ROUTE, type Openers } from '../answers.ts';
import { SECOND, WINDOW } from '../deployment.ts';
import { BOTH, drawKinds, lengthText, type Operator, pick } from '../operator.ts';

/** The value of `X-RateLimit-Reset` instead of the window's end. Lengths in µs. */
export interface MarkerHeader {
  readonly kinds: readonly Kind[];
  /**
   * - `offset`: so much later than the end
   * - `ahead`: so much after the answer, whenever the window ends
   * - `wobble`: so much later on some answers than on others of the same window, by turns
   * - `scatter`: later by some time up to this, another one on each answer
   * - `lag`: reckoned with a clock that is read so much after the request was counted, or runs ahead so much: the end
   *   of the next window, if it has begun by then
   * - `clock`: the next end of a minute of a clock that does not follow the windows, and how much later it is than the
   *   end of the window; null: not the same for all windows
   * - `multiplesOf`: rounded to multiples of this
   * - `seconds to go`, `milliseconds to go`: no point in time
   * - `first end`: the end of the budget's first window, for good
   * - `other kind`: the end of the other kind's window
   * - `other unit`: the end, in another unit than on other answers
   * - `goes back`: earlier than on an answer before
   * - `no rule`: a time that follows no rule that is known
   */
  readonly change:
    | { readonly offset: number }
    | { readonly ahead: number }
    | { readonly wobble: number }
    | { readonly scatter: number }
    | { readonly lag: number }
    | { readonly clock: number | null }
    | { readonly multiplesOf: number }
    | 'seconds to go'
    | 'milliseconds to go'
    | 'first end'
    | 'other kind'
    | 'other unit'
    | 'goes back'
    | 'no rule';
  readonly only: Answers | Openers;
}

/** The end of the window, told wrongly. */
export const markerHeader: Operator<'marker-header', MarkerHeader> = {
  id: 'marker-header',
  component: 'reporters',
  breaks: broken,
  mayShow: (parameters) => (isTimeToGo(parameters) ? ['HDR-7', 'HDR-8'] : ['HDR-7', 'HDR-8', 'HDR-5']),
  sentence: ({ kinds, change, only }) => `X-RateLimit-Reset ${told(change)}${answersText(kinds, only)}.`,
  remedy: ({ change, only }) => {
    if (change === 'other kind')
      return 'Usually one field of a key holds the end of both windows. Fill the header from the window in which the request was counted.';
    if (typeof only === 'object' && only.to) return OF_ROUTE;
    if (typeof change === 'object' && 'clock' in change)
      return 'Usually the end is reckoned from the clock alone, or by a timer, and the window by other rules. Fill the header with the end of the window of the decision.';
    if (typeof change === 'object' && 'multiplesOf' in change)
      return 'Usually the number passes through a type that is too short for it, such as a 32-bit float. Keep it as a 64-bit integer.';
    if (typeof change === 'object' && 'lag' in change)
      return 'Usually the end is computed anew when the answer is written, from a clock that is read later or runs ahead. Fill the header with the end of the window of the decision.';
    if (change === 'other unit')
      return 'Usually another component writes these answers, such as a gateway or an error handler. Let all write one unit.';
    if (only === 'openers')
      return 'Usually the end is read before the request has opened its window, as by TTL before EXPIRE. Read it afterwards.';
    return isTimeToGo({ change })
      ? 'Usually the header holds the time to go, as newer drafts have it. Fill it with the point in time.'
      : `Usually ${causeOf(change)}. Fill it with the end of the window of the decision.`;
  },
  draw(random, { operations }) {
    const change = pick(random, [
      { offset: -WINDOW },
      { offset: -5 * SECOND },
      { offset: -10 * SECOND },
      { offset: WINDOW },
      { offset: 3600 * SECOND },
      { offset: -3600 * SECOND },
      { ahead: WINDOW },
      { wobble: 2 * SECOND },
      { wobble: -5 * SECOND },
      { scatter: 3 * SECOND },
      { scatter: 10 * SECOND },
      'seconds to go',
      'milliseconds to go',
      'first end',
      'other kind',
    ] as const);
    // If each kind told the window of the other one, a client would take the two for one another.
    if (change === 'other kind') return { kinds: [pick(random, BOTH)], change, only: 'all' };
    const kinds = drawKinds(random);
    const isOffset = typeof change === 'object' && 'offset' in change;
    if (isOffset && random() < 0.3) return { kinds, change, only: drawRoute(random, kinds, operations) ?? 'all' };
    const partly = typeof change === 'object' && ('ahead' in change || 'scatter' in change);
    return { kinds, change, only: partly ? pick(random, ['all', { statuses: [429] }]) : 'all' };
  },
};

/** What usually makes a point in time a wrong one. */
function causeOf(change: MarkerHeader['change']): string {
  if (change === 'first end') return 'the header is filled once, and not again when a new window begins';
  if (typeof change !== 'object') return UNTOLD;
  if ('ahead' in change || 'scatter' in change)
    return 'the header is computed from the time of the answer instead of the window’s end';
  if ('wobble' in change)
    return 'several nodes answer, each by a clock of its own, or the header is computed from the time of the answer';
  if (!('offset' in change)) return UNTOLD;
  const { offset } = change;
  if (Math.abs(offset) >= HOUR && offset % ZONE_STEP === 0)
    return 'the header is in local time instead of UTC, or the clock of the deployment is wrong';
  if (offset % WINDOW === 0) return 'the header is that of another window, or its start is taken for its end';
  return 'the header is computed from another clock or another length than the window has';
}

const UNTOLD =
  'the header is computed from the time of the answer instead of the window’s end, or in another unit or time zone';

function broken({ change, only }: MarkerHeader): readonly RequirementId[] {
  if (only === 'openers') return ['HDR-7'];
  if (isTimeToGo({ change })) return ['HDR-6'];
  if (typeof change !== 'object') return change === 'goes back' ? ['HDR-8'] : ['HDR-7'];
  // What moves with the answers and lies less than a window ahead passes before the budget is back.
  if ('ahead' in change) return change.ahead < WINDOW - SECOND ? ['HDR-7', 'HDR-8'] : ['HDR-8'];
  return 'wobble' in change || 'scatter' in change ? ['HDR-8'] : ['HDR-7'];
}

function isTimeToGo({ change }: Pick<MarkerHeader, 'change'>): boolean {
  return change === 'seconds to go' || change === 'milliseconds to go';
}

function told(change: MarkerHeader['change']): string {
  if (change === 'goes back') return 'is earlier on some answers than on those before';
  if (change === 'no rule') return 'is not the end of the window';
  if (change === 'other kind') return 'is the end of the window of the other kind';
  if (change === 'other unit') return 'is in another unit';
  if (change === 'first end') return 'stays the end of the first window';
  if (change === 'seconds to go' || change === 'milliseconds to go') return `is the number of ${change}`;
  if ('ahead' in change) {
    if (change.ahead === 0) return 'is the time of the answer';
    return `is always ${lengthText(Math.abs(change.ahead))} ${change.ahead > 0 ? 'after' : 'before'} the answer`;
  }
  if ('wobble' in change) return `is ${aside(change.wobble)} on some answers than on others of the same window`;
  if ('scatter' in change) return `is late by a varying time of up to ${lengthText(change.scatter)}`;
  if ('lag' in change) return `is that of the next window in about the last ${lengthText(change.lag)} of each window`;
  if ('multiplesOf' in change) return `is rounded to multiples of ${lengthText(change.multiplesOf)}`;
  if ('offset' in change) return `is ${aside(change.offset)} than the end of the window`;
  const { clock } = change;
  const apart =
    clock === null
      ? 'not that of the window'
      : `and windows end ${lengthText(Math.abs(clock))} ${clock > 0 ? 'earlier' : 'later'}`;
  return `is the end of a minute of the clock, ${apart}`;
}

function aside(by: number): string {
  return `${lengthText(Math.abs(by))} ${by > 0 ? 'later' : 'earlier'}`;
}
