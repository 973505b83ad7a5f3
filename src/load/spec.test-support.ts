import { LOAD_FORMAT, type LoadSpec } from './load-spec.ts';

/** The specification of a load run, for tests. */
export function sampleSpec(rest: Partial<LoadSpec> = {}): LoadSpec {
  const request = { query: {}, headers: {}, group: 'service' as const };
  return {
    format: LOAD_FORMAT,
    run: 'test',
    scenario: 'quota-read',
    baseUrl: 'http://127.0.0.1:1/api/v1',
    scale: 1,
    start: 1_795_000_000_000,
    keys: 2,
    reads: [
      { operation: 'get-service', method: 'GET', path: '/service', body: null, ...request },
      { operation: 'list-labels', method: 'GET', path: '/labels', body: null, ...request, group: 'labels' },
    ],
    writes: [
      {
        operation: 'put-service',
        method: 'PUT',
        path: '/service',
        body: { contentType: 'application/json', text: '{"name":"{{uuid}}"}' },
        ...request,
      },
    ],
    timeout: 15_000,
    insecure: false,
    seconds: 60,
    rate: 10,
    ...rest,
  };
}
