import type { Api } from '../init/openapi/operations.ts';
import type { Profile } from '../profile/profile.ts';

/**
 * Operations that an OpenAPI document has and the profile lacks, as `GET /labels/{id}`. A path of the profile is one of the document where all
 * its segments are the same, or stand where the document has a parameter; the document's may begin with the last part of the base URL.
 */
export function leftOut(
  { operations, baseUrl }: Pick<Profile, 'operations' | 'baseUrl'>,
  api: Pick<Api, 'operations'>,
): readonly string[] {
  const base = segments(baseUrl.replace(/^[a-z]+:\/\/[^/]*/i, ''));
  const has = ({ method, path }: Api['operations'][number]): boolean =>
    operations.some((each) => each.method === method && isSame(segments(each.path), segments(path), base));
  return api.operations.filter((each) => !has(each)).map(({ method, path }) => `${method} ${path}`);
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

function segments(path: string): readonly string[] {
  return path
    .replace(/[?#].*$/, '')
    .split('/')
    .filter((each) => each !== '');
}
