import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NoteLine } from '../trace/trace.ts';
import { judge } from './conclude.ts';
import { provedByAnswers } from './so-far.ts';
import {
  BAD_KEYS,
  CONTROLS,
  headers,
  KEYLESS,
  limitsThat,
  OPERATIONS,
  type Sketch,
  traceOf,
} from './trace-builder.test-support.ts';

const STATUS = fc.constantFrom(200, 201, 204, 301, 400, 401, 403, 404, 410, 429, 500, 503, null);
const FAULTS: readonly Sketch[] = [
  {},
  { credential: 'bearer' },
  KEYLESS,
  ...BAD_KEYS,
  { fault: 'parameter' },
  { fault: 'missing' },
  { fault: 'permission', key: 'restricted' },
  { fault: 'internal' },
];

const SKETCH: fc.Arbitrary<Sketch> = fc
  .record({
    fault: fc.constantFrom(...FAULTS),
    operation: fc.constantFrom(...OPERATIONS.map(({ id }) => id)),
    status: STATUS,
    limit: fc.constantFrom(['100'], ['30'], [], ['x']),
    reset: fc.constantFrom<string[]>([], ['42']),
    odd: fc.boolean(),
  })
  .map(({ fault, operation, status, limit, reset, odd }) => ({
    ...fault,
    operation,
    status,
    ...(status === null ? { failure: 'reset' as const, answered: null } : {}),
    ...(odd ? { headers: headers({ limit, ...(reset.length > 0 ? { reset } : {}) }) } : {}),
  }));

/** AUTH-7 may be answered alike after all: that it was told is in the trace, and keeps it. */
const KEPT_BY_ITS_NOTE: ReadonlySet<string> = new Set(['AUTH-7']);

test('what is told of answers so far fails at the end too, whatever follows', () => {
  let told = 0;
  fc.assert(
    fc.property(fc.array(SKETCH, { minLength: 1, maxLength: 25 }), fc.nat(25), (sketches, length) => {
      const proved = provedByAnswers(traceOf(sketches.slice(0, length), { outcome: 'cut short' }));
      const { verdicts } = judge(traceOf(sketches), limitsThat());
      const failing = new Set(verdicts.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
      told += proved.length;
      const lost = proved.map(({ verdict }) => verdict.id).filter((id) => !failing.has(id));
      expect(lost.filter((id) => !KEPT_BY_ITS_NOTE.has(id))).toEqual([]);
    }),
    { numRuns: 200, seed: 5 },
  );
  expect(told).toBeGreaterThan(200);
});

test('a failure is told with the answer that proves it, and the moment of that answer', () => {
  const trace = traceOf([...CONTROLS, { ...KEYLESS, status: 403 }], { outcome: 'cut short' });
  const [first] = provedByAnswers(trace).filter(({ verdict }) => verdict.id === 'AUTH-4');
  expect(first?.time).toBe(trace.exchanges.at(-1)?.answered);
  expect(first?.verdict.proofs[0]?.evidence.at(-1)?.seq).toBe(trace.exchanges.length);
});

test('that the headers are answered apart is told when two operations have shown it twice, and stays', () => {
  const apart = (operation: string): readonly Sketch[] => [
    { operation },
    { operation, credential: 'bearer', status: 404 },
  ];
  const accepted: Sketch = { operation: 'get-service', credential: 'bearer' };
  const once = [accepted, ...apart('list-categories'), ...apart('put-label')];
  const told = (sketches: readonly Sketch[]) =>
    provedByAnswers(traceOf(sketches, { outcome: 'cut short' })).filter(({ verdict }) => verdict.id === 'AUTH-7');
  expect(told(once)).toEqual([]);
  expect(told([accepted, ...apart('put-label'), ...apart('put-label')])).toEqual([]);
  const [proved] = told([...once, ...once]);
  expect(proved?.verdict.proofs[0]?.evidence.map(({ status }) => status)).toEqual([200, 404]);
  // Answers to requests that were under way together may be due to each other.
  expect(told([...once, ...once].map((each) => ({ ...each, sent: 0 })))).toEqual([]);
  const alike: readonly Sketch[] = once.map(({ operation }) => ({ operation, credential: 'bearer' }) as Sketch);
  const note = { type: 'note', code: 'failure-shown', experiment: null, text: 'AUTH-7' } as const;
  const verdictWith = (notes: readonly NoteLine[]) =>
    judge(traceOf([...once, ...once, ...alike], { notes }), limitsThat()).verdicts.find(({ id }) => id === 'AUTH-7');
  expect(verdictWith([])?.verdict).not.toBe('fail');
  expect(verdictWith([{ ...note, time: proved?.time ?? 0 }])?.verdict).toBe('fail');
});

test('nothing is told while a key of the plan may be that of another deployment', () => {
  const experiment = {
    id: 'polled-read@key-2',
    requirements: ['LIMIT-R' as const],
    keys: ['key-2'],
    requests: 1,
    start: 0,
    seconds: 1,
    omitted: null,
  };
  const told = (...more: readonly Sketch[]) =>
    provedByAnswers(traceOf([{ status: 201 }, ...more], { header: { experiments: [experiment] } })).length;
  expect(told()).toBe(0);
  expect(told({ key: 'key-2', status: 401 })).toBe(0);
  expect(told({ key: 'key-2' })).toBeGreaterThan(0);
});
