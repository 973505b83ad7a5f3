import { expect, test } from 'vitest';
import { sampleExchange } from '../report/sample-exchange.test-support.ts';
import type { Exchange } from '../trace/exchange.ts';
import { followSurprises } from './surprises.ts';

function told(exchange: Partial<Exchange>, body = ''): string[] {
  const texts: string[] = [];
  const { onBody, onExchange } = followSurprises((text) => texts.push(text));
  onBody(7, body);
  onExchange(sampleExchange({ seq: 7, ...exchange }));
  return texts;
}

test('a status that is not due is shown with the request and the beginning of the body', () => {
  expect(told({ fault: 'permission', key: 'restricted', status: 401 }, '{\n  "error": "no"\n}')).toEqual([
    '#7 GET /labels with restricted (x-api-key): 401, expected 403. The answer says: { "error": "no" }',
  ]);
  expect(told({ fault: 'no-key', key: null, status: 200 }, 'x'.repeat(1000))[0]).toMatch(/ The answer says: x{200}…$/);
});

test('what is due, what is refused and what is not stated surprise nobody', () => {
  for (const each of [{}, { status: 429 }, { fault: 'unstated', status: 500 }] as const) expect(told(each)).toEqual([]);
});

test('what the run broke off as it ended surprises nobody', () => {
  expect(told({ status: null, failure: 'aborted' })).toEqual([]);
});

test('no answer is a surprise, too', () => {
  expect(told({ status: null, failure: 'reset' })).toEqual([
    '#7 GET /labels with key-1 (x-api-key): reset, expected 200.',
  ]);
});
