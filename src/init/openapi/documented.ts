import type { Operation } from '../../profile/profile.ts';
import type { ApiOperation } from './operations.ts';
import { segments } from './path.ts';

/**
 * Whether an operation of a profile is this one of a document: the paths match if all segments are equal, or the
 * document has a parameter there. The document's path may begin with the last part of the base URL.
 */
export function isDocumentedAs(
  own: Pick<Operation, 'method' | 'path'>,
  documented: Pick<ApiOperation, 'method' | 'path'>,
  baseUrl: string,
): boolean {
  const base = segments(baseUrl.replace(/^[a-z]+:\/\/[^/]*/i, ''));
  return own.method === documented.method && isSame(segments(own.path), segments(documented.path), base);
}

function isSame(own: readonly string[], documented: readonly string[], base: readonly string[]): boolean {
  const before = documented.length - own.length;
  if (before < 0 || before > base.length) return false;
  const whole = [...base.slice(base.length - before), ...own];
  return whole.every((segment, index) => {
    const other = documented[index] ?? '';
    return other === segment || (index >= before && other.includes('{'));
  });
}
