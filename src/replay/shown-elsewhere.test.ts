import { expect, test } from 'vitest';
import { headers, type Sketch, traceOf } from '../judge/trace-builder.test-support.ts';
import type { Exchange } from '../trace/exchange.ts';
import { isShownElsewhere } from './shown-elsewhere.ts';

type Sent = Sketch & { readonly sent: number };

/** All markers say that the window ends after 60 s. */
const END = 60e6;

/** A success in the window, and then polls that many seconds after its end. */
function polled(key: string, after: readonly number[], status = 429): Sketch[] {
  const polls = after.map((each) => ({ key, status, sent: END + each * 1e6, headers: headers({ remaining: ['0'] }) }));
  return [{ key, sent: 5e6 }, ...polls];
}

/** Some two seconds after the end that it told, no conforming deployment refuses. */
const shown = (all: readonly Exchange[]): boolean => all.some(({ status, sent }) => status === 429 && sent > END + 2e6);

function isShownWith(...others: readonly Sketch[][]): boolean {
  return isShownFor(polled('key-1', [1, 4.5]), ...others);
}

function isShownFor(own: readonly Sketch[], ...others: readonly Sketch[][]): boolean {
  const trace = traceOf([...own, ...others.flat()].toSorted((one, other) => (one.sent ?? 0) - (other.sent ?? 0)));
  const sequence = trace.exchanges.filter(({ key }) => key === 'key-1');
  return isShownElsewhere('HDR-7', sequence, 'as recorded', { trace, shown });
}

test('what was asked too soon to show a failure does not say that it comes now and then', () => {
  expect(isShownWith(polled('key-2', [0.5, 1.6]), polled('key-3', [1, 4]))).toBe(true);
});

test('what was asked late enough and shows no failure does', () => {
  expect(isShownWith(polled('key-2', [0.5, 1.6]), polled('key-3', [1, 4]), polled('key-4', [1, 3], 200))).toBe(false);
});

test('where all the rest was asked too soon, nothing says that it comes each time', () => {
  expect(isShownWith(polled('key-2', [0.5, 1.6]))).toBe(false);
  expect(isShownWith(polled('key-3', [1, 4]))).toBe(true);
});

test('what was asked with a marker that had passed may hang on an earlier window, which the rest did not have', () => {
  const [, ...late] = polled('key-1', [1, 4.5]);
  expect(isShownFor(late, polled('key-2', [0.5, 1.6]), polled('key-3', [1, 4]))).toBe(false);
});

test.each([
  [59.5, true],
  [50, false],
])('a limit that lets one more through after %d s holds each time: %s', (later, certain) => {
  const spent = (key: string, ...rest: readonly Sent[]): Sent[] => [
    ...[0, 0.1].map((after) => ({ key, sent: after * 1e6 })),
    { key, sent: 0.2e6, status: 429 },
    ...rest,
  ];
  const again = { key: 'key-2', sent: later * 1e6 };
  const trace = traceOf([...spent('key-1'), ...spent('key-2', again)].toSorted((one, other) => one.sent - other.sent));
  const sequence = trace.exchanges.filter(({ key }) => key === 'key-1');
  expect(isShownElsewhere('LIMIT-R', sequence, 'at once', { trace, shown: () => true })).toBe(certain);
});
