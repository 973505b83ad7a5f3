import type { Operation, Profile } from './profile.ts';

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
