import { LIMITS, WINDOW_S } from '../catalogue/limits.ts';
import type { Exchange } from '../trace/exchange.ts';

/**
 * The numbers of a sentence that cannot be recomputed from the rows shown with it, so a reader could not check them.
 * Known are the rows' numbers, statuses, times and headers, how many of them share a key, kind or status, the time
 * between any two of them, and what the specification states. IDs, aliases and clauses are names.
 */
export function unfounded(sentence: string, rows: readonly Exchange[]): number[] {
  const known = [...facts(rows), ...Object.values(LIMITS), WINDOW_S];
  const text = sentence.replace(/\b[A-Z]+-[A-Z0-9]+\b|\bkey-\d+\b|\bclauses? [\d., ]+\b|X-RateLimit-\w+/g, '');
  return [...text.matchAll(/(?<![\w.])-?\d+(?:\.(\d+))?/g)].flatMap(([number, decimals = '']) => {
    const half = 0.5 * 10 ** -decimals.length + 1e-9;
    return known.some((fact) => Math.abs(fact - Number(number)) <= half) ? [] : [Number(number)];
  });
}

function facts(rows: readonly Exchange[]): number[] {
  const times = rows.flatMap(({ sent, answered }) => [sent, answered ?? sent].map((time) => time / 1e6));
  const between = times.flatMap((one) => times.map((other) => one - other));
  const headers = rows.flatMap(({ headers: { limit, remaining, reset } }) =>
    [...limit, ...remaining, ...reset].map(Number),
  );
  const groups = [
    Map.groupBy(rows, ({ key }) => key),
    Map.groupBy(rows, ({ kind }) => kind),
    Map.groupBy(rows, ({ status }) => status),
  ].flatMap((each): number[] => [...each.values()].map(({ length }) => length));
  return [
    rows.length,
    ...groups,
    ...times,
    ...between,
    ...headers,
    ...rows.flatMap(({ seq, status }) => [seq, ...(status === null ? [] : [status])]),
  ];
}
