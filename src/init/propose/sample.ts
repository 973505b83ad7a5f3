import type { Group } from '../../trace/exchange.ts';
import type { Checked, OperationFields, Proposal } from '../proposal.ts';
import { PLACEHOLDER_URL } from './base-url.ts';
import type { Given } from './propose.ts';

/** What to start from without an interface description: the operations that such a service is likely to have, all to be checked. */
export function sampleProposal({ baseUrl, name }: Given): Proposal {
  return {
    target: { name, version: null },
    baseUrl: {
      value: baseUrl ?? PLACEHOLDER_URL,
      checks: baseUrl === null ? ['Write the base URL of the deployment.'] : [],
    },
    operations: [
      checked(
        { id: 'get-service', group: 'service', kind: 'read', method: 'GET', path: '/service' },
        'Any read operation on the service itself.',
      ),
      ...things('categories', 'category'),
      ...things('labels', 'label'),
    ],
    probes: {
      invalid_parameter: [
        checked(
          { operation: 'list-categories', name: 'list-categories-page', query: { page: 'not-a-number' } },
          'A parameter that the deployment has, with a value that it refuses.',
        ),
      ],
      not_found: [
        { value: { operation: 'get-label', name: 'get-label-absent', path: '/labels/{{uuid}}' }, checks: [] },
      ],
      forbidden: [
        checked(
          { operation: 'create-label', name: 'create-label-forbidden' },
          'What the restricted key may not do. It must be allowed to read.',
        ),
      ],
      internal_failure: [],
    },
    checks: ['Nothing is known of this deployment yet: correct all operations, or start again with --openapi.'],
  };
}

function things(group: Group, noun: string): readonly Checked<OperationFields>[] {
  const variable = `${noun}_id`;
  return [
    { value: { id: `list-${group}`, group, kind: 'read', method: 'GET', path: `/${group}` }, checks: [] },
    checked(
      {
        id: `create-${noun}`,
        group,
        kind: 'write',
        method: 'POST',
        path: `/${group}`,
        body: { name: `${noun} {{uuid}}` },
        capture: { [variable]: '/id' },
        cleanup: [`delete-${noun}`],
      },
      'The body, and where in the answer the identifier stands.',
    ),
    ...(['get', 'delete'] as const).map((verb) => ({
      value: {
        id: `${verb}-${noun}`,
        group,
        kind: verb === 'get' ? ('read' as const) : ('write' as const),
        method: verb.toUpperCase(),
        path: `/${group}/{{${variable}}}`,
        prepare: [`create-${noun}`],
      },
      checks: [],
    })),
  ];
}

function checked<Value>(value: Value, check: string): Checked<Value> {
  return { value, checks: [check] };
}
