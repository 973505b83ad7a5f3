import type { Exchange } from '../trace/exchange.ts';

/** More lines than this are shortened: the first and the last ones tell most. */
const MOST_LINES = 8;
const FIRST_LINES = 3;

/** The answers that show a failure, one line for equal requests in a row with equal answers. */
export function answersText(exchanges: readonly Exchange[]): string {
  const groups: Exchange[][] = [];
  for (const each of exchanges) {
    const last = groups.at(-1);
    if (last?.[0] && likeness(last[0]) === likeness(each)) last.push(each);
    else groups.push([each]);
  }
  const lines = groups.map((group) => `  ${lineOf(group)}`);
  if (lines.length <= MOST_LINES) return lines.join('\n');
  const tail = lines.slice(FIRST_LINES - MOST_LINES + 1);
  return [...lines.slice(0, FIRST_LINES), `  … ${lines.length - FIRST_LINES - tail.length} more`, ...tail].join('\n');
}

/** Each request of some operations has a target of its own. */
function likeness({ operation, method, target, kind, key, variation, status, failure, headers }: Exchange): string {
  return JSON.stringify([operation ?? target, method, kind, key, variation, status, failure, headers.limit]);
}

function lineOf(group: readonly Exchange[]): string {
  const [first] = group;
  if (!first) return '';
  const { method, target, key, variation, status, failure, headers } = first;
  const how = `${key === null ? '' : ` with ${key}`}${variation === null ? '' : ` (${variation})`}`;
  const what = `${group.length === 1 ? '' : `${group.length} × `}${method} ${target}${how}`;
  if (status === null) return `${what}: no answer (${failure ?? 'unknown'})`;
  const limit = headers.limit.length === 0 ? 'no limit' : `limit ${headers.limit.join(', ')}`;
  return `${what}: ${status}, ${limit}, ${remainingText(group)}`;
}

function remainingText(group: readonly Exchange[]): string {
  const told = group.map(({ headers }) => headers.remaining.join(', '));
  const [from = '', to = ''] = [told[0], told.at(-1)];
  if (told.every((each) => each === '')) return 'no remaining';
  return from === to ? `remaining ${from}` : `remaining ${from || 'none'} to ${to || 'none'}`;
}
