import { expect, test } from 'vitest';
import { judgeTrace } from '../judge/judge-trace.ts';
import { CONTROLS, headers, traceOf } from '../judge/trace-builder.test-support.ts';
import { sequencesFor } from './failures.ts';
import { outcomeOf } from './outcome.ts';
import { requestsOf } from './sequence.ts';

const BARE = headers({ limit: [], remaining: [], reset: [] });

test.each(['prepare', 'remove'])('what shows a failure is sent by itself where it was sent to %s', (step) => {
  const trace = traceOf([...CONTROLS, { step, operation: 'put-label', headers: BARE }]);
  const { verdicts } = judgeTrace(trace);
  const [[sequence] = []] = sequencesFor('HDR-1', verdicts, trace);
  const requests = sequence ? requestsOf(sequence) : [];
  expect(requests.at(-1)).toMatchObject({ operation: 'put-label', step: 'evidence' });
  expect(sequence && outcomeOf('HDR-1', sequence, { ...trace, exchanges: [] })).not.toHaveProperty('exitCode', 0);
});
