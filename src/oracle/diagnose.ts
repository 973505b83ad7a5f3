import { type History, WINDOW } from './history.ts';

/**
 * Names what a refuted history looks like: the mechanism that is not admissible but gives most of the decisions. For
 * reports only; no verdict rests on it. Null where none of the names fits better than nine decisions in ten.
 */
export function diagnose(history: History): string | null {
  const { events, limit } = history;
  const judged = events.filter(({ outcome }) => outcome === 'accepted' || outcome === 'refused');
  if (judged.length < 10) return null;
  const capacities = [limit, Math.max(1, Math.round(limit / 2)), Math.max(1, Math.round(limit / 10)), 1];
  for (const capacity of capacities) {
    let tokens = capacity;
    let last = judged[0]?.from ?? 0;
    let right = 0;
    let returned = false;
    for (const { from, to, outcome } of [...judged].sort((one, other) => one.from + one.to - other.from - other.to)) {
      const time = (from + to) / 2;
      tokens = Math.min(capacity, tokens + ((time - last) / WINDOW) * limit);
      last = Math.max(last, time);
      const close = tokens > 0.5 && tokens < 1.5;
      const accepted = outcome === 'accepted';
      if (close || tokens >= 1 === accepted) right++;
      if (accepted) tokens = Math.max(0, tokens - 1);
      else returned = true;
    }
    if (returned && right >= 0.97 * judged.length) return 'token bucket, GCRA or leaky bucket';
  }
  return null;
}
