import type { Decision, Limiter } from './limiter.ts';
import { SECOND, WINDOW } from './limiter.ts';

/** What can be wrong with a fixed window. None is set in a conforming one. */
export interface WindowFaults {
  /** Length in µs, where it is not one minute. */
  readonly length?: number;
  /** Length that the marker tells, where it is not the window's. */
  readonly told?: number;
  /** Moves the window's end to one window from now at each request, or at each refused one. */
  readonly refreshedBy?: 'requests' | 'refusals';
  /** The marker stays where the window began, whatever moves its end. */
  readonly pinnedMarker?: boolean;
  /** From this window on (the first is 1), a window never ends. */
  readonly eternalFrom?: number;
  /** A first refusal blocks the budget for one window, counted from then. */
  readonly penalty?: boolean;
  /** Each refusal doubles the wait, starting with a second. */
  readonly backoff?: boolean;
  /** From this window on, one request less is let through. */
  readonly shortFrom?: number;
  /** The first request of a window is not counted. */
  readonly firstFree?: boolean;
  /** The first request of a window is judged by the last one's count, under the new window's marker. */
  readonly carriesCount?: boolean;
  /** What a window left unused is added to the next; Remaining tells nothing of it. */
  readonly carriesUnused?: boolean;
  /** A refused request takes one off the count. */
  readonly refusalRefunds?: boolean;
}

interface Window {
  readonly ordinal: number;
  /** Requests that are let through beyond the limit. */
  readonly extra: number;
  readonly start: number;
  end: number;
  count: number;
  refusals: number;
  free: boolean;
}

/** Fixed windows from the first request, with faults. With none, it is `anchoredLimiter` (`anchored.ts`). */
export function faultyWindowLimiter(faults: WindowFaults): Limiter {
  const { length = WINDOW } = faults;
  const told = faults.told ?? length;
  const windows = new Map<string, Window>();

  function enter(budget: string, limit: number, now: number): { readonly current: Window; readonly carried: number } {
    const last = windows.get(budget);
    const eternal = last !== undefined && last.ordinal >= (faults.eternalFrom ?? Number.POSITIVE_INFINITY);
    if (last && (eternal || now < last.end)) return { current: last, carried: 0 };
    const ordinal = (last?.ordinal ?? 0) + 1;
    const free = faults.firstFree ?? false;
    const extra = faults.carriesUnused && last ? Math.max(0, limit - last.count) : 0;
    const current = { ordinal, extra, start: now, end: now + length, count: 0, refusals: 0, free };
    windows.set(budget, current);
    return { current, carried: faults.carriesCount ? (last?.count ?? 0) : 0 };
  }

  function enforced(current: Window, limit: number): number {
    return current.ordinal >= (faults.shortFrom ?? Number.POSITIVE_INFINITY) ? limit - 1 : limit + current.extra;
  }

  function marker(current: Window): number {
    const moved = current.end !== current.start + length && !faults.pinnedMarker;
    return moved ? current.end : current.start + told;
  }

  function refused(current: Window, now: number): void {
    current.refusals++;
    if (faults.penalty && current.refusals === 1) current.end = now + WINDOW;
    if (faults.backoff) current.end = Math.max(current.end, now + Math.min(2 ** current.refusals, 1024) * SECOND);
    if (faults.refreshedBy === 'refusals') current.end = now + WINDOW;
    if (faults.refusalRefunds && current.count > 0) current.count--;
  }

  return {
    decide(budget, limit, now) {
      const { current, carried } = enter(budget, limit, now);
      const most = enforced(current, limit);
      const count = current.count + carried + (current.free ? 0 : 1);
      current.free = false;
      const accepted = count <= most;
      if (accepted && carried === 0) current.count = count;
      if (faults.refreshedBy === 'requests') current.end = now + WINDOW;
      if (!accepted && carried === 0) refused(current, now);
      const remaining = accepted ? Math.max(0, most - current.extra - count) : 0;
      return { accepted, limit, remaining, reset: marker(current), stamp: current.start };
    },
    peek(budget, limit, now): Decision {
      const { current } = enter(budget, limit, now);
      const remaining = Math.max(0, enforced(current, limit) - current.extra - current.count);
      const accepted = current.count < enforced(current, limit);
      return { accepted, limit, remaining, reset: marker(current), stamp: current.start };
    },
    refund(budget, decision, now) {
      const { current } = enter(budget, decision.limit, now);
      if (current.start === decision.stamp && current.count > 0) current.count--;
    },
  };
}
