import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stillClock } from '../clock/still-clock.test-support.ts';
import { followTrace } from './follow-trace.ts';
import { createTrace } from './recorder.ts';
import { exchangeOf, HEADER, intentOf, temporaryFolder } from './trace.test-support.ts';

test('a trace is read as it grows, and nothing twice', () => {
  const file = join(temporaryFolder(), 'trace.ndjson');
  const followed = followTrace(file);
  expect(followed.read()).toEqual({ exchanges: [], intents: [] });
  expect(followed.soFar()).toBeNull();

  const recorder = createTrace(file, HEADER, stillClock());
  const [one, two] = [exchangeOf(1, { sent: 1000, answered: 2000 }), exchangeOf(2, { sent: 1500, answered: 9000 })];
  recorder.intend([one, two].map(intentOf));
  recorder.record(one);
  recorder.flush();
  expect(followed.read().exchanges.map(({ seq }) => seq)).toEqual([1]);
  expect(followed.read().exchanges).toEqual([]);
  expect(followed.soFar()?.unanswered.map(({ seq }) => seq)).toEqual([2]);
  // Of the moment at which the second was sent, not all is known yet.
  expect(followed.known()).toBeLessThan(1500);

  recorder.record(two);
  recorder.close('complete');
  expect(followed.read().exchanges.map(({ seq }) => seq)).toEqual([2]);
  expect(followed.known()).toBe(9000);
  expect(followed.soFar()?.exchanges).toHaveLength(2);
  followed.close();
});

test('half a line waits for the other half', () => {
  const file = join(temporaryFolder(), 'trace.ndjson');
  createTrace(file, HEADER, stillClock());
  const followed = followTrace(file);
  followed.read();
  const line = JSON.stringify({ type: 'note', time: 5, code: 'preflight', experiment: null, text: 'möglich' });
  const bytes = Buffer.from(`${line}\n`);
  const half = bytes.indexOf('ö') + 1;
  appendFileSync(file, bytes.subarray(0, half));
  followed.read();
  expect(followed.soFar()?.notes).toEqual([]);
  appendFileSync(file, bytes.subarray(half));
  followed.read();
  expect(followed.soFar()?.notes.map(({ text }) => text)).toEqual(['möglich']);
  followed.close();
});
