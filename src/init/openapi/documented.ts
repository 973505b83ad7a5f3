import type { Operation } from '../../profile/profile.ts';
import type { ApiOperation } from './operations.ts';
import { segments } from './path.ts';

/**
 * Whether an operation of a profile is this one of a document: its path is that of the document where all its segments are the same, or stand
 * where the document has a parameter; the document's may begin with the last part of the base URL.
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
