import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tried } from '../../test/sampled.test-support.ts';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { judge } from './conclude.ts';
import { CONFORMING, exchanges, headers, limitsThat, type Sketch, traceOf } from './trace-builder.test-support.ts';
import { conclude } from './verdicts.test-support.ts';

describe('laws', () => {
  const sketch: fc.Arbitrary<Sketch> = fc.record({
    operation: fc.constantFrom('get-service', 'list-categories', 'put-label', null),
    fault: fc.constantFrom('none', 'no-key', 'bad-key', 'permission', 'parameter', 'missing', 'internal', 'unstated'),
    key: fc.constantFrom('key-1', 'key-2', 'restricted', null),
    credential: fc.constantFrom('x-api-key', 'bearer', 'none', 'query', 'both-same'),
    variation: fc.constantFrom(null, 'unknown', 'head', 'forwarded-for', 'empty'),
    status: fc.constantFrom(200, 201, 302, 400, 401, 403, 404, 429, 500, 503),
    headers: fc
      .record({
        limit: fc.constantFrom(['100'], ['30'], [], ['100, 99']),
        reset: fc.constantFrom(['1800000000'], ['42'], []),
      })
      .map(headers),
  });
  const sketches = fc.array(sketch, { maxLength: 40 });
  const options = { numRuns: tried(300) };

  test('every selected requirement has exactly one verdict, in catalogue order', () => {
    const ids = REQUIREMENTS.map(({ id }) => id);
    fc.assert(
      fc.property(sketches, fc.subarray(ids), (some, selection) => {
        const { verdicts, counts } = conclude(some, { header: { selection: selection.toReversed() } });
        expect(verdicts.map((each) => each.id)).toEqual(selection);
        expect(Object.values(counts).reduce((a, b) => a + b, 0)).toBe(selection.length);
      }),
      options,
    );
  });

  test('the order of the lines does not matter', () => {
    fc.assert(
      fc.property(sketches, (some) => {
        const trace = traceOf(some);
        const reversed = { ...trace, exchanges: trace.exchanges.toReversed() };
        expect(JSON.stringify(judge(reversed, limitsThat()))).toBe(JSON.stringify(judge(trace, limitsThat())));
      }),
      options,
    );
  });

  test('no answers to other requests turn the whole from a failure into anything else', () => {
    fc.assert(
      fc.property(sketches, sketches, (some, more) => {
        fc.pre(conclude(some).exitCode === 1);
        expect(conclude([...some, ...more]).exitCode).toBe(1);
      }),
      options,
    );
  });

  test('a failure always has a proof, whose evidence is of the trace and in order', () => {
    fc.assert(
      fc.property(sketches, (some) => {
        const known = exchanges(...some);
        for (const { verdict, proofs } of conclude(some).verdicts) {
          if (verdict === 'fail') expect(proofs.length).toBeGreaterThan(0);
          for (const { evidence } of proofs) {
            expect(evidence.length).toBeGreaterThan(0);
            for (const one of evidence) expect(known).toContainEqual(one);
            expect(evidence.map(({ sent }) => sent)).toEqual(
              evidence.map(({ sent }) => sent).toSorted((a, b) => a - b),
            );
          }
        }
      }),
      options,
    );
  });

  test('answers that conform never make a failure', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...CONFORMING, ...CONFORMING]), (some) => {
        expect(conclude(some).counts.fail).toBe(0);
      }),
      options,
    );
  });
});
