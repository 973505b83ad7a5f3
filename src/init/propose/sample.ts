import { apiOf } from '../openapi/operations.ts';
import type { Proposal } from '../proposal.ts';
import { PLACEHOLDER_URL } from './base-url.ts';
import { type Given, propose } from './propose.ts';

/** The start without an OpenAPI document: operations that such a service probably has, all to be checked. */
export function sampleProposal({ baseUrl, name }: Given): Proposal {
  const guessed = propose(apiOf(LIKELY), { baseUrl: baseUrl ?? PLACEHOLDER_URL, name }, null);
  return {
    ...guessed,
    baseUrl: {
      value: guessed.baseUrl.value,
      checks: baseUrl === null ? ['Write the base URL of the deployment.'] : [],
    },
    checks: ['These operations are only examples: correct them all, or run init again with --openapi.'],
  };
}

const PAGE = { name: 'page', in: 'query', schema: { type: 'integer' } };
const NAMED = { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: 200 } } };

const LIKELY = {
  openapi: '3.1.0',
  paths: {
    '/service': { get: { operationId: 'get-service' } },
    ...likelyThings('categories', 'category'),
    ...likelyThings('labels', 'label'),
  },
};

function likelyThings(group: string, noun: string) {
  const answer = { '200': { content: json({ properties: { id: {} } }) }, '400': {}, '404': {} };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  return {
    [`/${group}`]: {
      get: { operationId: `list-${group}`, parameters: [PAGE], responses: answer },
      post: { operationId: `create-${noun}`, requestBody: { required: true, content: json(NAMED) }, responses: answer },
    },
    [`/${group}/{id}`]: {
      parameters: [id],
      get: { operationId: `get-${noun}`, responses: answer },
      delete: { operationId: `delete-${noun}`, responses: { '200': {} } },
    },
  };
}

function json(schema: object) {
  return { 'application/json': { schema } };
}
