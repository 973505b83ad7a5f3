import { expect, test } from 'vitest';
import { leftOutOf, leftOutText } from '../trace/left-out.ts';
import { exchangeOf, HEADER } from '../trace/trace.test-support.ts';
import type { NoteLine } from '../trace/trace.ts';
import { testedOf, testedText } from './tested.ts';

const note = (time: number, operation: string): NoteLine => ({
  ...{ type: 'note', time, code: 'experiment-failed', experiment: 'authentication' },
  text: leftOutText('probe', operation, 'mk-label answered 429'),
});
const later = exchangeOf(1, { step: 'probe', operation: 'service', sent: 30 });

test.each([
  [[note(10, 'label')], 'Requests left out: 1.'],
  [
    [note(10, 'label'), note(10, 'service'), note(20, 'service')],
    'Requests left out: 1, and 2 that later ones replaced.',
  ],
  [[note(10, 'service')], 'Requests left out: 0, and 1 that later ones replaced.'],
])('what a run left out is counted as in its report, and what later requests replaced is told too', (notes, said) => {
  const trace = { header: HEADER, exchanges: [later], unanswered: [], notes, footer: null };
  const count = leftOutOf(trace).reduce((sum, { requests }) => sum + requests, 0);
  expect(said).toContain(`left out: ${count}`);
  expect(testedText(testedOf(trace), leftOutOf(trace))).toContain(said);
});
