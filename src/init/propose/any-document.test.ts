import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tried } from '../../../test/sampled.test-support.ts';
import { readProfile } from '../../profile/read-profile.ts';
import { InitError } from '../init-error.ts';
import { apiOf } from '../openapi/operations.ts';
import { settle } from '../settle.ts';
import { propose } from './propose.ts';

/** Documents that have the outline of OpenAPI, and anything at all in its places. */
const documents = fc.letrec((tie) => {
  const word = fc.oneof(
    fc.constantFrom('labels', '{id}', '{}', '{a}{b}', 'categories', '..', '?', '#', 'é', '{{uuid}}', '%', ' '),
    fc.string({ maxLength: 5 }),
  );
  const path = fc.array(word, { maxLength: 4 }).map((segments) => `/${segments.join('/')}`);
  const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant('a\nb: [{{x}} # \u2028 "\''));
  const fields = fc.record(
    {
      type: fc.constantFrom<unknown>('object', 'array', 'string', 'integer', ['string', 'null'], 7),
      properties: fc.dictionary(
        fc.constantFrom('name', 'id', 'label_id', 'category_id', '__proto__', '{{x}}', 'text', 'content_type'),
        tie('schema'),
        { maxKeys: 3 },
      ),
      required: fc.subarray(['name', 'id', 'label_id', 'category_id', '__proto__', 'text', 'content_type']),
      items: tie('schema'),
      allOf: fc.array(tie('schema'), { maxLength: 2 }),
      $ref: fc.constantFrom('#/components/schemas/A', '#/components/schemas/B', '#', '#/nowhere'),
      example: odd,
      maximum: fc.double(),
      maxLength: fc.oneof(fc.integer(), fc.double()),
      enum: fc.array(odd, { maxLength: 2 }),
    },
    { requiredKeys: [] },
  );
  // Each level has several places for the next: without a bound, there would be no end of them.
  const schema = fc.oneof({ maxDepth: 1, depthIdentifier: 'schema' }, fc.constant({ type: 'string' }), fields);
  const content = fc.dictionary(
    fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/plain', '*/*', 'a+json'),
    fc.record({ schema: tie('schema') }),
  );
  const operation = fc.record(
    {
      operationId: fc.oneof(fc.constantFrom('a', 'search', '', '-'), odd),
      summary: odd,
      tags: fc.oneof(fc.array(fc.constantFrom('Labels', 'x')), odd),
      parameters: fc.array(
        fc.record({
          name: fc.constantFrom('id', 'page', 'X-API-Key', 'api_key', 'a b', 'Host', '__proto__', '{{x}}'),
          in: fc.constantFrom('path', 'query', 'header', 'cookie', 'x'),
          required: fc.boolean(),
          schema: tie('schema'),
        }),
        { maxLength: 3 },
      ),
      requestBody: fc.record({ content, required: fc.boolean() }),
      responses: fc.dictionary(fc.constantFrom('200', '201', '422', 'default'), fc.record({ content })),
      security: fc.constantFrom<unknown>([], [{}], [{ a: [] }], 7),
    },
    { requiredKeys: [] },
  );
  const methods = fc.dictionary(
    fc.constantFrom('get', 'post', 'put', 'patch', 'delete', 'x'),
    fc.oneof(operation, odd),
  );
  return {
    schema,
    document: fc.record(
      {
        info: fc.record({ title: odd, version: odd }),
        servers: fc.oneof(fc.array(fc.record({ url: fc.oneof(fc.webUrl(), odd) }), { maxLength: 2 }), odd),
        paths: fc.dictionary(path, methods, { maxKeys: 6 }),
        components: fc.record({
          schemas: fc.record({ A: tie('schema'), B: tie('schema') }),
          securitySchemes: fc.dictionary(fc.string(), fc.oneof(fc.record({ type: odd, scheme: odd }), odd), {
            maxKeys: 2,
          }),
        }),
      },
      { requiredKeys: ['paths'] },
    ),
  };
}).document;

test('whatever a document holds, what is proposed can be read, or nothing is proposed', () => {
  let proposed = 0;
  fc.assert(
    fc.property(documents, (document) => {
      const proposal = propose(apiOf(document as Record<string, unknown>), { baseUrl: null, name: null }, null);
      if (proposal.operations.length === 0) return;
      try {
        const { text } = settle(proposal, 'p.yaml', 'schema.json');
        expect(readProfile(text, { file: 'p.yaml' })).toHaveProperty('profile');
        proposed += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(InitError);
        expect(String(error)).toContain('No operation could be proposed');
      }
    }),
    { numRuns: tried(150) },
  );
  expect(proposed).toBeGreaterThan(tried(20));
});
