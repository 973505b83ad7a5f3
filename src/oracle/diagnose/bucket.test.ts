import { expect, test } from 'vitest';
import { EPOCH, exchanges, headers } from '../../judge/trace-builder.test-support.ts';
import type { History } from '../history.ts';
import { makeHistory } from '../make-history.ts';
import { inferMarker } from '../marker.ts';
import { bucketOf } from './bucket.ts';

const LIMIT = 100;

/**
 * One key's requests to nginx's `limit_req rate=100r/m burst=99 nodelay`, sent at these ms: it reckons in whole
 * thousandths of a request.
 */
function leakyHistory(times: readonly number[]): History {
  const rate = Math.trunc((LIMIT * 1000) / 60);
  let excess = 0;
  let last = 0;
  const sent = exchanges(
    ...times.map((now, at) => {
      const next = at === 0 ? 0 : Math.max(0, excess - Math.trunc((rate * (now - last)) / 1000) + 1000);
      const accepted = next <= (LIMIT - 1) * 1000;
      if (accepted) [excess, last] = [next, now];
      const remaining = accepted ? LIMIT - 1 - Math.ceil(excess / 1000) : 0;
      return { sent: now * 1000, status: accepted ? 200 : 429, headers: headers({ remaining: [`${remaining}`] }) };
    }),
  );
  const offset = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  return makeHistory(sent, { key: 'key-1', kind: 'read' }, inferMarker(sent, EPOCH), offset);
}

test('a bucket that reckons in whole thousandths is one, though each request may lose it one', () => {
  // Half is spent at once. A request each 599 ms takes what is refilled, with a loss each time; what is left is spent,
  // and what drips in is taken.
  const half = Array.from({ length: 50 }, (_, at) => at);
  const steady = Array.from({ length: 1500 }, (_, at) => 599 * (at + 1));
  const end = 599 * 1501;
  const rest = Array.from({ length: 80 }, (_, at) => end + at);
  const dripping = Array.from({ length: 60 }, (_, at) => end + 100 * (at + 1));
  // Another key that is spent at once tells the size.
  const atOnce = [
    ...Array.from({ length: 110 }, (_, at) => at),
    ...Array.from({ length: 60 }, (_, at) => 100 * (at + 2)),
  ];
  expect(bucketOf([leakyHistory(atOnce), leakyHistory([...half, ...steady, ...rest, ...dripping])], [])).not.toBeNull();
});

test('a window that ends at once is no bucket', () => {
  const sent = exchanges(
    ...Array.from({ length: 300 }, (_, at) => {
      const left = LIMIT - 1 - (at % 150);
      return {
        sent: Math.floor(at / 150) * 60_000_000 + at * 1000,
        status: left < 0 ? 429 : 200,
        headers: headers({ remaining: [`${Math.max(0, left)}`] }),
      };
    }),
  );
  const offset = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const history = makeHistory(sent, { key: 'key-1', kind: 'read' }, inferMarker(sent, EPOCH), offset);
  expect(bucketOf([history], [])).toBeNull();
});

test('a bucket that has had time to fill refuses nothing, however small it is', () => {
  // Others take what a window gives back: each ten seconds one request is refused, and the next one is let through.
  const sent = exchanges(
    ...Array.from({ length: 20 }, (_, at) => ({
      sent: Math.floor(at / 2) * 10_000_000 + (at % 2) * 300_000,
      status: at % 2 === 0 ? 429 : 200,
      headers: headers({ remaining: ['0'] }),
    })),
  );
  const offset = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const history = makeHistory(sent, { key: 'key-1', kind: 'read' }, inferMarker(sent, EPOCH), offset);
  expect(bucketOf([history], [])).toBeNull();
});
