import { listed } from '../deployment/operator.ts';
import { GROUPS } from '../trace/exchange.ts';
import type { ReportedVerdict } from './report.ts';

/**
 * Where in the deployment a failure is, if not everywhere, as words that can begin a sentence: `on writes`, `on labels`,
 * `on writes of service and labels`. It is what the verdict's own sentence says: in brackets at its end, or by the
 * groups that it names. Null: everywhere, or what sets the wrong answers apart is no place.
 */
export function scopeOf({ summary, parts }: Pick<ReportedVerdict, 'summary' | 'parts'>): string | null {
  const [, place = null] = /\(only (?:by [^()]*? )?(on (?!a connection|answers )[^()]+)\)$/.exec(summary) ?? [];
  const isGroup = ({ name }: { readonly name: string }): boolean => GROUPS.some((group) => group === name);
  const failing = parts.filter(({ verdict }) => verdict === 'fail');
  const isPart = failing.every(isGroup) && parts.some(({ verdict }) => verdict === 'pass');
  const groups = isPart && failing.length > 0 ? listed(failing.map(({ name }) => name)) : null;
  if (place === null) return groups === null ? null : `on ${groups}`;
  return groups !== null && /^on (reads|writes)$/.test(place) ? `${place} of ${groups}` : place;
}
