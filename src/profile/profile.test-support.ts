import type { Operation, Profile } from './profile.ts';
import { formatProfileError, readProfile } from './read-profile.ts';

/** An operation of a test: a plain read of the service, but for what the test says. */
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

/** A profile of a test: no operation, no probe and no demand, but for what the test says. */
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

/** The profile of a text. @throws Error with what is wrong with the text, where it is no profile */
export function profileOf(source: string, file = 'p.yaml'): Profile {
  const result = readProfile(source, { file });
  if ('errors' in result) throw new Error(result.errors.map(formatProfileError).join('\n'));
  return result.profile;
}
