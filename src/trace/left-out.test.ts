import { expect, test } from 'vitest';
import type { Exchange } from './exchange.ts';
import { leftOutOf, leftOutText } from './left-out.ts';
import type { NoteLine } from './trace.ts';

const note = (time: number, operation: string): NoteLine => ({
  type: 'note',
  time,
  code: 'experiment-failed',
  experiment: 'authentication',
  text: leftOutText('probe', operation, 'mk-label answered 429'),
});
const sent = (time: number, operation: string) => ({ step: 'probe', operation, sent: time }) as Exchange;

test('requests that could not be sent are counted by operation and reason, unless they were sent later', () => {
  const notes = [note(10, 'label'), note(20, 'label'), note(10, 'service')];
  const exchanges = [sent(5, 'label'), sent(30, 'service')];
  expect(leftOutOf({ notes, exchanges })).toEqual([{ operation: 'label', why: 'mk-label answered 429', requests: 2 }]);
});

test('an experiment that broke off left nothing out by itself', () => {
  expect(leftOutOf({ notes: [{ ...note(10, 'label'), text: 'the disk is full' }], exchanges: [] })).toEqual([]);
});
