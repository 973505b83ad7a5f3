import type { Kind } from '../trace/exchange.ts';
import { listed, plural } from './operator.ts';

/** The answers that a deviation of a header affects: all, or those with some statuses. */
export type Answers = 'all' | { readonly statuses: readonly number[] };

/** The answers to requests that open a window: one less than the limit is left. */
export type Openers = 'openers';

/** The affected answers, for the end of a sentence: ` on writes that are answered 404`; empty for all answers. */
export function answersText(kinds: readonly Kind[], only: Answers | Openers): string {
  const which = kinds.length === 1 ? ` on ${plural(kinds)}` : '';
  if (only === 'all') return which;
  if (only === 'openers') return `${which || ' on requests'} that open a window`;
  const statuses = listed(only.statuses.map((status) => `${status}`));
  return which === '' ? ` on answers ${statuses}` : `${which} that are answered ${statuses}`;
}

/** Whether refusals are affected: among others, only they, or not at all. */
export function isOnRefusals(only: Answers): boolean | 'only' {
  if (only === 'all') return true;
  return only.statuses.includes(429) && (only.statuses.length === 1 ? 'only' : true);
}
