import type { Api } from '../openapi/operations.ts';
import type { Proposal } from '../proposal.ts';
import { proposeBaseUrl } from './base-url.ts';
import { identify } from './identify.ts';
import { proposeOperations } from './operations.ts';
import { proposeProbes } from './probes.ts';
import { checkSecurity } from './security.ts';

/** What a user has said already, which comes before the document; null: nothing. */
export interface Given {
  readonly baseUrl: string | null;
  readonly name: string | null;
}

/** Proposes a profile from an interface description. Pure: the same description gives the same profile. */
export function propose(api: Api, given: Given, documentUrl: string | null): Proposal {
  const base = proposeBaseUrl(
    given.baseUrl,
    api.servers,
    api.operations.map(({ path }) => path),
    documentUrl,
  );
  const identified = identify(api, base.strip);
  const { drafts, checks } = proposeOperations(identified.operations, api.resolve);
  return {
    target: { name: given.name ?? api.title, version: api.version },
    baseUrl: base.url,
    operations: drafts.map(({ fields, checks: own }) => ({ value: fields, checks: own })),
    probes: proposeProbes(drafts, api.resolve),
    checks: [...checkSecurity(api.securitySchemes), ...identified.checks, ...checks],
  };
}
