import { isDocumentedAs } from '../init/openapi/documented.ts';
import type { Api } from '../init/openapi/operations.ts';
import type { Profile } from '../profile/profile.ts';

/** Operations that an OpenAPI document has and the profile lacks, as `GET /labels/{id}`. */
export function leftOut(
  { operations, baseUrl }: Pick<Profile, 'operations' | 'baseUrl'>,
  api: Pick<Api, 'operations'>,
): readonly string[] {
  return api.operations
    .filter((each) => !operations.some((own) => isDocumentedAs(own, each, baseUrl)))
    .map(({ method, path }) => `${method} ${path}`);
}
