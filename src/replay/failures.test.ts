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

test('each operation, form of the key and status that shows a failure is asked for, though one proof stands for all', () => {
  const missing = { fault: 'missing', status: 404, headers: BARE } as const;
  const asked = CONTROLS.map((each) => ({ ...each, ...missing }));
  const trace = traceOf([...CONTROLS, ...asked, ...asked]);
  const { verdicts } = judgeTrace(trace);
  expect(verdicts.find(({ id }) => id === 'HDR-1')?.proofs).toHaveLength(1);
  const sent = sequencesFor('HDR-1', verdicts, trace).flat().flatMap(requestsOf);
  expect(sent.map(({ operation, credential }) => ({ operation, credential }))).toEqual(
    CONTROLS.map(({ operation, credential = 'x-api-key' }) => ({ operation, credential })),
  );
});

test('what the budgets of the keys do not suffice for leaves a mended deployment undecided', () => {
  const many = Array.from({ length: 40 }, (_, index) => ({
    operation: 'put-label',
    variation: `form-${index}`,
    headers: BARE,
  }));
  const trace = traceOf([...CONTROLS, ...many]);
  const last = sequencesFor('HDR-1', judgeTrace(trace).verdicts, trace).at(-1)?.[0];
  expect(last?.untried).toBeGreaterThan(0);
  const mended = {
    ...trace,
    exchanges: (last ? requestsOf(last) : []).map((each) => ({ ...each, headers: headers() })),
  };
  expect(last && outcomeOf('HDR-1', last, mended)).toMatchObject({
    exitCode: 3,
    text: expect.stringContaining('not tried'),
  });
});
