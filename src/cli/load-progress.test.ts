import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showLoad } from './load-progress.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

test.each([
  [false, ['10 % sent\n', '20 % sent\n']],
  [true, Array.from({ length: 4 }, () => expect.stringContaining('% sent'))],
])('without a terminal, a line of progress is printed once, however long it holds (terminal: %s)', (isTTY, due) => {
  const written: string[] = [];
  const write = (text: string | Uint8Array): boolean => written.push(String(text)) > 0;
  const display = showLoad({ isTTY, columns: 80, write });
  for (const text of ['10 % sent', '10 % sent', '10 % sent', '20 % sent']) {
    vi.advanceTimersByTime(15_000);
    display.count(text);
  }
  expect(written).toEqual(due);
});

test('without a terminal, the last number is printed at the end, once, however soon after another', () => {
  const written: string[] = [];
  const display = showLoad({
    isTTY: false,
    columns: 80,
    write: (text: string | Uint8Array) => written.push(String(text)) > 0,
  });
  vi.advanceTimersByTime(15_000);
  for (const text of ['66 % sent', '90 % sent', '100 % sent']) display.count(text);
  display.end();
  display.end();
  expect(written).toEqual(['66 % sent\n', '100 % sent\n']);
});
