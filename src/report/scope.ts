import { listed } from '../deployment/operator.ts';
import { GROUPS, KINDS } from '../trace/exchange.ts';
import type { ReportedVerdict } from './report.ts';

/**
 * Where in the deployment a failure is, if not everywhere, as words that can begin a sentence: `on writes`, `on labels`,
 * `on writes of service and labels`. Null: everywhere, or nothing shows where it is.
 */
export function scopeOf({ place, parts }: Pick<ReportedVerdict, 'place' | 'parts'>): string | null {
  const isGroup = ({ name }: { readonly name: string }): boolean => GROUPS.some((group) => group === name);
  const failing = parts.filter(({ verdict }) => verdict === 'fail');
  const isPart = failing.every(isGroup) && parts.some(({ verdict }) => verdict === 'pass');
  const groups = isPart && failing.length > 0 ? listed(failing.map(({ name }) => name)) : null;
  if (place === undefined) return groups === null ? null : `on ${groups}`;
  return groups !== null && KINDS.some((kind) => place === `on ${kind}s`) ? `${place} of ${groups}` : place;
}
