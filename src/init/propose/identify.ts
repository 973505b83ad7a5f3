import type { Group, Kind } from '../../trace/exchange.ts';
import type { Api, ApiOperation } from '../openapi/operations.ts';
import { proposeGroup, proposeKind } from './classify.ts';

/** An operation of the document with its place in the profile. */
export interface Identified {
  readonly source: ApiOperation;
  readonly id: string;
  /** Below the base URL, with the document's `{parameters}`. */
  readonly path: string;
  readonly group: Group;
  readonly kind: Kind;
  readonly checks: readonly string[];
}

/** So many operations of a group show what it can do, and keep the file readable. */
const MOST_OF_A_GROUP = 40;

/**
 * Gives each operation its id, group and kind.
 *
 * @param strip start of the paths that the base URL holds; what does not start so is left out
 */
export function identify(
  { operations }: Api,
  strip: string,
): { readonly operations: readonly Identified[]; readonly checks: readonly string[] } {
  const taken = new Set<string>();
  const sizes: Record<Group, number> = { service: 0, categories: 0, labels: 0 };
  const found: Identified[] = [];
  const outside: string[] = [];
  let beyond = 0;
  for (const source of operations) {
    const path = source.path.slice(strip.length) || '/';
    if (!source.path.startsWith(strip) || !path.startsWith('/')) {
      outside.push(`${source.method} ${source.path}`);
      continue;
    }
    const group = proposeGroup({ path, tags: source.tags });
    const kind = proposeKind(source);
    sizes[group.value] += 1;
    if (sizes[group.value] > MOST_OF_A_GROUP) {
      beyond += 1;
      continue;
    }
    const id = unique(idOf(source, path), taken);
    const checks = [
      ...group.checks,
      ...kind.checks,
      ...(source.deprecated ? ['The document calls it deprecated.'] : []),
    ];
    found.push({ source, id, path, group: group.value, kind: kind.value, checks });
  }
  return {
    operations: found,
    checks: [
      ...(outside.length > 0 ? [`Left out, since they lie outside ${strip}: ${shown(outside)}.`] : []),
      ...(beyond > 0 ? [`Left out: ${beyond} operations beyond the first ${MOST_OF_A_GROUP} of a group.`] : []),
    ],
  };
}

/** A name that nothing has yet, and that now is taken: the one asked for, or that with a number. At most 64 characters. */
export function unique(name: string, taken: Set<string>): string {
  let candidate = name.slice(0, 64);
  for (let number = 2; taken.has(candidate); number += 1) candidate = `${name.slice(0, 58)}-${number}`;
  taken.add(candidate);
  return candidate;
}

/** `getLabelById` and `GET /labels/{id}` become `get-label-by-id` and `get-labels-id`. */
export function idOf({ operationId, method }: Pick<ApiOperation, 'operationId' | 'method'>, path: string): string {
  const kebab = (text: string): string =>
    text
      .slice(0, 200)
      .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .toLowerCase();
  return kebab(operationId ?? '') || kebab(`${method} ${path}`) || 'operation';
}

function shown(names: readonly string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
}
