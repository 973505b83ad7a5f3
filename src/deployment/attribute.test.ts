import { describe, expect, test } from 'vitest';
import { ATTRIBUTE_NAMES, classesText, classOf, type RequestFacts, requirementOf } from './attribute.ts';

const REQUEST: RequestFacts = {
  operation: 'get-label',
  group: 'labels',
  method: 'GET',
  target: '/labels/1?page=2',
  credential: 'bearer',
  connection: 7,
  variation: 'user-agent',
};

describe('the class of a request', () => {
  test.each([
    ['operation', 'get-label'],
    ['group', 'labels'],
    ['method', 'GET'],
    ['path', '/labels/1'],
    ['credential', 'bearer'],
    ['connection', '7'],
    ['query-string', 'page=2'],
    ['user-agent', 'changed'],
    ['forwarded-for', 'plain'],
  ] as const)('by %s is %s', (attribute, expected) => {
    expect(classOf(attribute, REQUEST)).toBe(expected);
  });
  test('by operation is its method and path where it is none of the profile’s', () => {
    expect(classOf('operation', { ...REQUEST, operation: null })).toBe('GET /labels/1');
  });
});

test('every attribute has a requirement and words', () => {
  for (const attribute of ATTRIBUTE_NAMES) {
    expect(requirementOf(attribute)).toMatch(/^LIMIT-(SCOPE|HEADER|EVADE)$/);
    expect(classesText(attribute, ['plain'])).toMatch(/plain|without/);
    expect(classesText(attribute, ['a', 'b'])).not.toContain('undefined');
  }
});
