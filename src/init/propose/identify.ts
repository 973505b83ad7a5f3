import type { Group, Kind } from '../../trace/exchange.ts';
import type { Api, ApiOperation } from '../openapi/operations.ts';
import { words } from '../openapi/path.ts';
import { kebab, unique } from '../openapi/words.ts';
import { proposeGroup, proposeKind, whyNot } from './classify.ts';

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

/** This many operations of a group are enough to test it, and keep the file readable. */
const MOST_OF_A_GROUP = 40;

/**
 * Gives each operation its id, group and kind.
 *
 * @param strip start of the paths that belongs to the base URL; other paths are left out
 * @param leaveOut is called for each operation that is not proposed, with the reason
 */
export function identify(
  { operations, resolve }: Api,
  strip: string,
  leaveOut: (operation: ApiOperation, why: string) => void,
): readonly Identified[] {
  const taken = new Set<string>();
  const sizes: Record<Group, number> = { service: 0, categories: 0, labels: 0 };
  const keyless = operations.every(({ key }) => key === 'none');
  return operations.flatMap((source) => {
    const path = source.path.slice(strip.length) || '/';
    const within = { ...source, path, key: keyless ? ('optional' as const) : source.key };
    const group = proposeGroup(within);
    const inside = source.path.startsWith(strip) && path.startsWith('/');
    const why = inside ? whyNot(within, group.value) : `is outside ${strip}`;
    const place = group.value ?? 'service';
    if (why !== null || sizes[place] === MOST_OF_A_GROUP) {
      leaveOut(source, why ?? `is beyond the first ${MOST_OF_A_GROUP} of its group`);
      return [];
    }
    sizes[place] += 1;
    const kind = proposeKind(source, resolve);
    const checks = [
      ...group.checks,
      ...(group.value === null ? ['Neither the path nor a tag names a group: does it belong to the service?'] : []),
      ...kind.checks,
      ...(source.deprecated ? ['The document marks it as deprecated: does the deployment still offer it?'] : []),
      ...(within.key === 'optional'
        ? ['The document says that it needs no key, but clause 5.1 requires one in every request (AUTH-1).']
        : []),
    ];
    return [{ source, id: unique(idOf(source, path), taken), path, group: place, kind: kind.value, checks }];
  });
}

/**
 * `getLabelById` and `GET /labels/{id}` become `get-label-by-id` and `get-labels-id`. From ids that a generator made,
 * it removes what repeats the path and the method (`list_labels_api_v1_labels_get`, `getApiV1Labels`,
 * `LabelsController_list`); the path's noun replaces a number (`list_1`).
 */
export function idOf(
  { operationId, method, path: whole }: Pick<ApiOperation, 'operationId' | 'method' | 'path'>,
  path: string,
): string {
  const repeated = `${whole.replace(/\W/g, '_')}_${method.toLowerCase()}`;
  const given = (operationId ?? '').slice(0, 200);
  const own = given.endsWith(repeated) ? given.slice(0, -repeated.length) : given;
  const short = kebab(own.replace(/Controller(?=_)/, '').replace(/_\d+$/, '')).replace(/(^|-)(api-)?v1(?=-|$)/g, '');
  const noun = kebab(words(path).at(-1) ?? '');
  const id = short.replace(/^-/, '');
  if (id !== '' && (id.includes('-') || id === noun || noun === '')) return id;
  return id === '' ? kebab(`${method} ${path === '/' ? 'root' : path}`) || 'operation' : `${id}-${noun}`;
}
