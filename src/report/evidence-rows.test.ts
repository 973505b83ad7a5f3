import { expect, test } from 'vitest';
import { evidenceRows, keyTexts } from './evidence-rows.ts';
import { sampleExchange } from './sample-exchange.test-support.ts';

test('how a key was sent is told where that differs, and nowhere else', () => {
  const own = sampleExchange();
  const bearer = sampleExchange({ credential: 'bearer' });
  const none = sampleExchange({ credential: 'none', key: null });
  expect(keyTexts([own, own])).toEqual(['key-1', 'key-1']);
  expect(keyTexts([own, bearer, none])).toEqual(['key-1 by X-API-Key', 'key-1 by Bearer', '—']);
  const altered = sampleExchange({ fault: 'bad-key', variation: 'altered-last' });
  expect(keyTexts([own, altered])).toEqual(['key-1', 'key-1 (altered-last)']);
});

test('what was varied about a request is told with it, however long its target is', () => {
  const requests = [sampleExchange({ variation: 'forwarded-for', target: '/labels?page=2' }), sampleExchange()];
  const rows = evidenceRows(requests, { target: 12, value: 20 });
  expect(rows.map((cells) => cells[3])).toEqual(['GET /labels… (forwarded-for)', 'GET /labels']);
});
