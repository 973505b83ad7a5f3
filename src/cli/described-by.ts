import { readOpenApi } from '../init/openapi/document.ts';
import { isDocumentedAs } from '../init/openapi/documented.ts';
import { apiOf } from '../init/openapi/operations.ts';
import { ruledOut } from '../init/openapi/ruled-out.ts';
import { readSource } from '../init/openapi/source.ts';
import type { Profile } from '../profile/profile.ts';
import type { RuledOut } from '../property/odd-request.ts';
import { UsageError } from './usage-error.ts';

/**
 * What an interface description rules out for the operations of the profile.
 *
 * @throws InitError where it cannot be read; UsageError where it has none of these operations
 */
export async function describedBy(openapi: string, profile: Profile): Promise<readonly RuledOut[]> {
  const api = apiOf((await readOpenApi(await readSource(openapi))).root);
  const { operations, baseUrl } = profile;
  if (operations.some((own) => api.operations.some((each) => isDocumentedAs(own, each, baseUrl)))) {
    return ruledOut(profile, api);
  }
  throw new UsageError(
    `${openapi} has none of the profile's operations. Check that it is the document of this deployment; leave --openapi out, or give another document.`,
  );
}
