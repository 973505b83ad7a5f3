import type { Api, ApiOperation } from '../openapi/operations.ts';
import type { Proposal } from '../proposal.ts';
import { proposeBaseUrl } from './base-url.ts';
import { identify } from './identify.ts';
import { proposeOperations } from './operations.ts';
import { proposeProbes } from './probes.ts';
import { checkSecurity } from './security.ts';

/** What the user has given, which overrides the document; null: nothing. */
export interface Given {
  readonly baseUrl: string | null;
  readonly name: string | null;
}

/** Proposes a profile from an OpenAPI document. Pure: the same document gives the same profile. */
export function propose(api: Api, given: Given, documentUrl: string | null): Proposal {
  const paths = api.operations.map(({ path }) => path);
  const base = proposeBaseUrl(given.baseUrl, api.servers, paths, documentUrl);
  const left = new Map<string, string[]>();
  const leaveOut = ({ method, path }: ApiOperation, why: string): void => {
    left.set(why, [...(left.get(why) ?? []), `${method} ${path}`]);
  };
  const drafts = proposeOperations(identify(api, base.strip, leaveOut), api.resolve, leaveOut);
  return {
    target: { name: given.name ?? api.title, version: api.version },
    baseUrl: base.url,
    operations: drafts.filter(({ fails }) => !fails).map(({ fields, checks }) => ({ value: fields, checks })),
    probes: proposeProbes(drafts, api.resolve),
    checks: [
      ...checkSecurity(api.securitySchemes),
      ...[...left].map(([why, names]) => `Left out: ${shown(names)}, which ${why}.`),
    ],
  };
}

function shown(names: readonly string[]): string {
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
}
