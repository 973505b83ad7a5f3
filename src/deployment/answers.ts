import type { Kind } from '../trace/exchange.ts';
import { listed, plural } from './operator.ts';

/** Which answers a deviation of a header concerns: all, or those with some statuses. */
export type Answers = 'all' | { readonly statuses: readonly number[] };

/** The answers that are meant, at the end of a sentence: ` on writes that are answered 404`; nothing where all are. */
export function answersText(kinds: readonly Kind[], only: Answers): string {
  const which = kinds.length === 1 ? ` on ${plural(kinds)}` : '';
  if (only === 'all') return which;
  const statuses = listed(only.statuses.map((status) => `${status}`));
  return which === '' ? ` on answers ${statuses}` : `${which} that are answered ${statuses}`;
}

/** Whether refusals are meant: among others, alone, or not at all. */
export function isOnRefusals(only: Answers): boolean | 'only' {
  if (only === 'all') return true;
  return only.statuses.includes(429) && (only.statuses.length === 1 ? 'only' : true);
}
