import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judge } from './conclude.ts';
import { parseHttpDate } from './conditions.ts';
import { CONTROLS, EPOCH, headers, limitsThat, type Sketch, traceOf } from './trace-builder.test-support.ts';

const run = (sketches: readonly Sketch[]) => judge(traceOf(sketches), limitsThat());
const observed = (sketches: readonly Sketch[], name: string) =>
  run([...CONTROLS, ...sketches]).observations.find((each) => each.name === name);

describe('what the specification leaves open', () => {
  test.each([
    [
      { credential: 'both-one-invalid', fault: 'unstated', status: 401 },
      'both-headers.one-invalid',
      'not accepted (401)',
    ],
    [{ credential: 'bearer-lowercase', fault: 'unstated' }, 'bearer.lowercase', 'accepted (200)'],
    [{ credential: 'query', fault: 'unstated', status: 401 }, 'key.query', 'not accepted (401)'],
    [{ variation: 'revoked', fault: 'bad-key', status: 403 }, 'key.revoked', 'not accepted (403)'],
    [{ variation: 'head', operation: null, fault: 'unstated', status: 405 }, 'method.head', 'not accepted (405)'],
    [
      {
        variation: 'outside-prefix',
        operation: null,
        fault: 'unstated',
        status: 404,
        headers: headers({ limit: [], remaining: [], reset: [] }),
      },
      'outside-prefix',
      'not accepted (404, without rate-limit headers)',
    ],
  ] satisfies [Sketch, string, string][])('%j', (sketch, name, value) => {
    expect(observed([sketch], name)).toMatchObject({ value, evidence: [7] });
  });

  test('a refusal over a limit says nothing of the way of asking', () => {
    const both = { credential: 'both-same', fault: 'unstated' } as const;
    expect(observed([both, { ...both, status: 429 }], 'both-headers.same')?.value).toBe('accepted (200)');
    expect(observed([{ ...both, status: 429 }], 'both-headers.same')?.value).toBe('over a limit (429)');
  });

  test('an entry is observed once something was seen of it, and else not tested', () => {
    const verdict = (sketches: readonly Sketch[]) =>
      run(sketches).verdicts.find((each) => each.id === 'AUTH-O3')?.verdict;
    expect(verdict([{ credential: 'cookie', fault: 'unstated' }])).toBe('observed');
    expect(verdict(CONTROLS)).toBe('not tested');
  });

  test('retry guidance and other rate-limit headers', () => {
    const refused = {
      status: 429,
      headers: headers({ retryAfter: ['17'], other: { 'ratelimit-policy': ['100;w=60'] } }),
    };
    expect(observed([refused, { status: 429 }], 'retry-after')?.value).toBe('on 1 of 2 refusals, in seconds');
    expect(observed([{ status: 429 }], 'retry-after')?.value).toBe('on none of 1 refusals');
    expect(observed([refused], 'other-headers')).toMatchObject({ value: 'ratelimit-policy', evidence: [7] });
  });
});

describe('conditions', () => {
  test('count what happened', () => {
    const { conditions } = run([...CONTROLS, { status: 429, connection: 2 }, { failure: 'timeout' }]);
    expect(conditions).toMatchObject({
      requests: 8,
      answered: 7,
      failures: { timeout: 1 },
      statuses: [
        { status: 200, count: 6 },
        { status: 429, count: 1 },
      ],
      connections: 2,
      duration: 7000,
    });
    expect(conditions.together).toBeUndefined();
    const reset = { failure: 'reset', variation: 'pipelined' } as const;
    expect(run([...CONTROLS, { variation: 'pipelined' }, reset, reset]).conditions.together).toBe(2);
  });

  test('the interval of the clock skew holds the true skew, whatever the latencies', () => {
    const request = fc.record({
      sent: fc.integer({ min: 0, max: 300_000_000 }),
      before: fc.integer({ min: 0, max: 2_000_000 }),
      after: fc.integer({ min: 0, max: 2_000_000 }),
    });
    fc.assert(
      fc.property(
        fc.array(request, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: -1e10, max: 1e10 }),
        (all, skew) => {
          const sketches = all.map(({ sent, before, after }): Sketch => {
            const server = Math.floor((EPOCH + sent + before + skew) / 1e6) * 1000;
            return {
              sent,
              answered: sent + before + after,
              headers: headers({ date: [new Date(server).toUTCString()] }),
            };
          });
          const found = run(sketches).conditions.skew;
          expect(found?.low).toBeLessThanOrEqual(skew);
          expect(found?.high).toBeGreaterThanOrEqual(skew);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('Dates that contradict each other give no interval', () => {
    const date = (seconds: number): Sketch => ({
      headers: headers({ date: [new Date(EPOCH / 1000 + seconds * 1000).toUTCString()] }),
    });
    expect(run([date(0), date(3600)]).conditions.skew).toBeNull();
  });

  test.each([
    [[]],
    [['tomorrow']],
    [['Sat, 21 Nov 2026 05:08:00 GMT', 'Sat, 21 Nov 2026 05:08:00 GMT']],
    [['Sat, 21 Foo 2026 05:08:00 GMT']],
  ])('%j is no Date', (lines) => {
    expect(parseHttpDate(lines)).toBeNull();
  });
});
