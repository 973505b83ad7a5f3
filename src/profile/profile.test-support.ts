import type { Operation, Profile } from './profile.ts';
import { formatProfileError, readProfile } from './read-profile.ts';

/** An operation for a test: a plain read of the service, except for the given fields. */
export function operationOf(fields: Partial<Operation> = {}): Operation {
  return {
    id: 'get-service',
    group: 'service',
    kind: 'read',
    method: 'GET',
    path: '/service',
    query: {},
    headers: {},
    body: null,
    prepare: [],
    cleanup: [],
    capture: [],
    ...fields,
  };
}

/** A profile for a test: no operation, no probe and no other setting, except for the given fields. */
export function profileWith(fields: Partial<Profile> = {}): Profile {
  return {
    version: 1,
    target: { name: 'test', version: null },
    baseUrl: 'http://127.0.0.1/api/v1',
    operations: [],
    probes: { invalidParameter: [], notFound: [], forbidden: [], internalFailure: [] },
    http: {
      headers: {},
      timeoutMs: { connect: 1000, response: 1000 },
      tls: { caFile: null, certFile: null, keyFile: null, insecure: false },
      proxy: null,
    },
    pacing: { maxRate: null, maxRequests: null },
    waivers: [],
    ...fields,
  };
}

/** The least that a profile has to say. */
export const MINIMAL = `base_url: https://api.example.com/api/v1/
operations:
  - { id: get-service, group: service, kind: read, method: GET, path: /service }
`;

/** The profile of a text. @throws Error with the mistakes, if the text is not a profile */
export function profileOf(source: string, file = 'p.yaml'): Profile {
  const result = readProfile(source, { file });
  if ('errors' in result) throw new Error(result.errors.map(formatProfileError).join('\n'));
  return result.profile;
}
