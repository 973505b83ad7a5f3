import { expect, test } from 'vitest';
import { ENDING_SIGNALS } from './ending-signals.ts';
import { setAsideListeners } from './signals.test-support.ts';
import { untilSignal } from './until-signal.ts';

setAsideListeners();

const listening = (): number => ENDING_SIGNALS.reduce((sum, signal) => sum + process.listenerCount(signal), 0);

/** Work that lasts until it is interrupted. */
const endless = ({ signal }: AbortController): Promise<string> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve('ended in order')));

test.each(ENDING_SIGNALS)('%s ends the work in order, and nothing listens afterwards', async (name) => {
  const before = listening();
  const work = untilSignal(endless);
  expect(listening()).toBe(before + 3);
  process.emit(name);
  expect(await work).toBe('ended in order');
  expect(listening()).toBe(before);
});

test('nothing listens after work that fails', async () => {
  const before = listening();
  await expect(untilSignal(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(listening()).toBe(before);
});

test.each([
  ['once', 0],
  ['on', 1],
] as const)('a second signal is left to others, or kept from them (%s)', async (listen, left) => {
  const before = process.listenerCount('SIGINT');
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = untilSignal(() => promise, listen);
  process.emit('SIGINT');
  expect(process.listenerCount('SIGINT')).toBe(before + left);
  resolve();
  await work;
});
