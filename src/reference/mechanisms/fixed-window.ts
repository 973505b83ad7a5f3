import { SECOND, WINDOW } from '../../deployment/deployment.ts';
import type { MovedEnd } from '../../deployment/deviations/moved-end.ts';
import type { Mechanics } from './mechanics.ts';
import { type Phase, startOnGrid } from './phase.ts';

/** One window of a budget. Times are µs of the server's clock. */
export interface FixedWindow {
  readonly start: number;
  end: number;
  /** When it would end if nothing moved that. */
  readonly due: number;
  /** The time that the marker states. */
  marker: number;
  /** Number of the window in its budget, from 1. */
  readonly ordinal: number;
  /** Requests that are accepted beyond the limit. */
  readonly extra: number;
  count: number;
  refusals: number;
  /** When the last request of the window arrived. */
  asked: number;
  /** So many requests to come are not counted. */
  free: number;
  /** Until when requests have been given back. */
  leaked: number;
  /** How many the window before counted, if it ended when this one began. */
  readonly old: number;
}

/** Start of the window for a request at `now`. `last` is the window before, which has ended. */
type Opening = (budget: string, now: number, last: FixedWindow | undefined) => number;

/** Options of fixed windows: first those that conforming servers may choose, then those of faulty servers. */
export interface WindowOptions {
  /** Whether refused requests are counted as well. This shows only if requests are refunded. */
  readonly countRefused?: boolean;
  /** Length of a window in µs, by its number in its budget. Infinite: it never ends. */
  readonly length?: (ordinal: number) => number;
  /** The length that the marker states. */
  readonly told?: number;
  readonly moved?: readonly MovedEnd[];
  /** So many requests at most that a window left unused are added to the next one. Remaining does not include them. */
  readonly carriedUnused?: number;
  /**
   * So many requests that a window refused are counted in the next one in advance, unless a whole window lies between.
   */
  readonly carriedRefusals?: number;
  /** This part of what the window before counted is counted, too; elapsed: as much as has passed of the window. */
  readonly carriedShare?: number | 'elapsed';
  /** So many of the first requests of a window are not counted. */
  readonly firstFree?: number;
  /** One request is given back so often, in µs, on the beat of one timer. */
  readonly leaks?: number;
}

/**
 * M1: fixed windows on a grid. The k-th window is [φ + kW, φ + (k+1)W). A request is accepted if fewer than the limit
 * are counted in it.
 */
export function gridWindows(phase: Phase, options: WindowOptions = {}): Mechanics<FixedWindow> {
  const phases = new Map<string, number>();
  const length = options.length?.(1) ?? WINDOW;
  return fixedWindows((budget, now) => {
    const start = phases.get(budget) ?? phase(budget, now);
    phases.set(budget, start);
    return Number.isFinite(length) ? startOnGrid(start, length, now) : now;
  }, options);
}

/**
 * M2: fixed windows. The first counted request after the end of a window opens the next.
 *
 * @param wholeSecond rounds the start down to the whole second
 * @param opens when the window that is open for a budget began, if others open it as well
 */
export function anchoredWindows({
  wholeSecond = false,
  opens = (_budget, now) => now,
  ...options
}: WindowOptions & { readonly wholeSecond?: boolean; readonly opens?: Phase } = {}): Mechanics<FixedWindow> {
  return fixedWindows((budget, now) => opens(budget, wholeSecond ? startOnGrid(0, SECOND, now) : now), options);
}

/**
 * When windows begin that several budgets have together: with the first request of any of them after the last one has
 * ended.
 *
 * @param group which budgets have the same windows
 */
export function opensTogether(group: (budget: string) => string): Phase {
  const starts = new Map<string, number>();
  return (budget, now) => {
    const last = starts.get(group(budget));
    const start = last !== undefined && now < last + WINDOW ? last : now;
    starts.set(group(budget), start);
    return start;
  };
}

/**
 * Fixed windows that follow each other without a gap as long as the store still has the last one. After the store has
 * removed it, the next request opens a new window. @param every how often the store removes ended windows, in µs
 */
export function sweptWindows(every: number, options: WindowOptions = {}): Mechanics<FixedWindow> {
  return fixedWindows((_budget, now, last) => {
    const swept = !last || Math.floor(now / every) > Math.floor(last.end / every);
    return swept ? now : startOnGrid(last.start, last.end - last.start, now);
  }, options);
}

function fixedWindows(open: Opening, options: WindowOptions): Mechanics<FixedWindow> {
  const { countRefused = true, length = () => WINDOW, moved = [] } = options;

  function move(
    window: FixedWindow,
    trigger: MovedEnd['trigger'],
    now: number,
    which: (moved: MovedEnd) => boolean = () => true,
  ): void {
    for (const each of moved) {
      if (each.trigger !== trigger || !which(each)) continue;
      window.end = movedTo(each.to, window, now);
      if (each.told) window.marker = window.end;
    }
  }

  function isIdle(window: FixedWindow, now: number): boolean {
    return moved.some(({ trigger, idle }) => trigger === 'idle' && now - window.asked >= idle);
  }

  function carried({ start, end, old }: FixedWindow, now: number): number {
    return options.carriedShare === 'elapsed' ? Math.floor((old * (now - start)) / (end - start)) : 0;
  }

  function leak(window: FixedWindow, now: number): FixedWindow {
    const beats = (time: number): number => Math.floor(time / (options.leaks ?? Number.POSITIVE_INFINITY));
    window.count = Math.max(0, window.count - Math.max(0, beats(now) - beats(window.leaked)));
    window.leaked = Math.max(window.leaked, now);
    return window;
  }

  return {
    at(last, budget, limit, now) {
      if (last && now < last.end && !isIdle(last, now)) return leak(last, now);
      const ordinal = (last?.ordinal ?? 0) + 1;
      const start = open(budget, now, last);
      const extra = last ? Math.max(0, Math.min(limit - last.count, options.carriedUnused ?? 0)) : 0;
      const isNext = last && now < last.end + (last.end - last.start);
      const old = isNext ? last.count : 0;
      const owed = isNext ? Math.min(limit, last.refusals, options.carriedRefusals ?? 0) : 0;
      const count = owed + Math.floor(old * (options.carriedShare === 'elapsed' ? 0 : (options.carriedShare ?? 0)));
      const end = start + length(ordinal);
      const told = options.told ?? (Number.isFinite(end) ? end - start : WINDOW);
      const free = options.firstFree ?? 0;
      return {
        start,
        end,
        due: end,
        marker: start + told,
        ordinal,
        extra,
        count,
        refusals: 0,
        asked: now,
        free,
        leaked: now,
        old,
      };
    },
    left: (window, limit, now) => limit + window.extra - window.count - carried(window, now),
    count(window, _limit, now, weight) {
      if (window.free === 0) window.count = Math.max(0, window.count + weight);
      else window.free -= 1;
      window.asked = now;
      move(window, 'request', now, isByAll);
    },
    refuse(window, _limit, now) {
      if (countRefused) window.count++;
      window.asked = now;
      move(window, 'request', now, isByAll);
      move(window, 'refusal', now);
      window.refusals += 1;
      move(window, 'first refusal', now, ({ nth = 1 }) => window.refusals === nth);
    },
    note(window, event, now) {
      if (typeof event === 'number')
        move(window, 'bad request', now, ({ statuses }) => statuses?.includes(event) === true);
      else if ('own' in event) move(window, 'request', now, ({ only }) => only !== undefined && event.own(only));
      // A window that has ended is not there any more.
      else if (now < window.end) move(window, 'other kind', now, ({ operations }) => isAmong(event.other, operations));
    },
    reset: ({ marker }) => marker,
    stamp: ({ start }) => start,
    refund(window, stamp) {
      if (window.start === stamp && window.count > 0) window.count--;
    },
    copy: (window) => ({ ...window }),
    ordinal: ({ ordinal }) => ordinal,
    hidden: ({ extra }) => extra,
  };
}

function movedTo(to: MovedEnd['to'], { end, due }: FixedWindow, now: number): number {
  if ('after' in to) return now + to.after;
  return Math.min(end + to.later, due + (to.most ?? Number.POSITIVE_INFINITY));
}

/** Whether each request moves the end. */
function isByAll({ only }: MovedEnd): boolean {
  return only === undefined;
}

/** Whether an operation is one of some; left out: all are. */
function isAmong(operation: string | null, operations: readonly string[] | undefined): boolean {
  return operations === undefined || (operation !== null && operations.includes(operation));
}
