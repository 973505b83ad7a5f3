import { describe, expect, test } from 'vitest';
import { judge } from './conclude.ts';
import { headers, limitsThat, type Sketch, traceOf } from './trace-builder.test-support.ts';
import { verdictOn } from './verdicts.test-support.ts';

describe('STATUS-429', () => {
  const spent = Array.from({ length: 30 }, (): Sketch => ({ operation: 'put-label' }));
  const proof = { expected: '', received: '', evidence: [], argument: [], diagnosis: null };
  const refused = (count: number, status: number) =>
    Array.from({ length: count }, (): Sketch => ({ operation: 'put-label', status }));

  test('passes on a 429', () => {
    expect(verdictOn('STATUS-429', [...spent, ...refused(1, 429)]).verdict).toBe('pass');
  });

  test.each([403, 503, 400])('fails where a spent budget is refused with %i', (status) => {
    const { verdict, proofs } = verdictOn('STATUS-429', [...spent, ...refused(3, status)]);
    expect(verdict).toBe('fail');
    expect(proofs[0]?.evidence).toHaveLength(4);
  });

  test('fails where one operation is refused in another way, and others with 429', () => {
    const one = { operation: 'get-service' };
    const other = { operation: 'list-categories' };
    const odd = { ...one, status: 503 };
    const right = { ...other, status: 429 };
    // Failed requests have spent the rest of the budget: fewer than a limit succeeded.
    const before = [one, other, right];
    const { verdict, summary, proofs } = verdictOn('STATUS-429', [...before, odd, right, odd, odd]);
    expect([verdict, summary]).toEqual(['fail', 'over the limit, requests of get-service are answered 503, not 429']);
    expect(proofs[0]?.evidence.map(({ status }) => status)).toEqual([429, 503, 503, 503]);
    // If it is refused with 429, too, or if something was left again, that is no way of refusing.
    for (const between of [{ ...one, status: 429 }, one, other]) {
      expect(verdictOn('STATUS-429', [...before, odd, odd, between, odd]).verdict).toBe('pass');
    }
  });

  test('names the header, or all operations, whose requests are refused in another way', () => {
    const none = headers({ remaining: ['0'] });
    const over = (operation: string, credential: string, status: number): Sketch => {
      return { operation, credential, status, headers: none };
    };
    const [own, other, third] = ['get-service', 'list-categories', 'list-labels'] as const;
    const before = [own, other, third].flatMap((operation): Sketch[] => [
      { operation, credential: 'bearer' },
      { operation, credential: 'x-api-key' },
    ]);
    const told = (...answers: readonly Sketch[]) => {
      const first = over(other, 'x-api-key', 429);
      return verdictOn('STATUS-429', [...before, first, ...answers, ...answers, ...answers]).summary;
    };
    expect(told(over(own, 'bearer', 403), over(third, 'bearer', 403))).toBe(
      'over the limit, reads with the key by Bearer are answered 403, not 429',
    );
    expect(told(over(own, 'bearer', 403), over(own, 'x-api-key', 429))).toBe(
      'over the limit, reads with the key by Bearer are answered 403, not 429',
    );
    expect(told(over(own, 'bearer', 503), over(third, 'x-api-key', 503))).toBe(
      'over the limit, requests of get-service and list-labels are answered 503, not 429',
    );
    expect(told(over(own, 'x-api-key', 503), over(third, 'bearer', 429), over(third, 'x-api-key', 429))).toBe(
      'over the limit, requests of get-service are answered 503, not 429',
    );
  });

  test('fails where an operation is refused in another way now and then, and never with 429', () => {
    const one = { operation: 'get-service' };
    const other = { operation: 'list-categories' };
    const odd = { ...one, status: 403 };
    const right = { ...other, status: 429 };
    const spentReads = [one, ...Array.from({ length: 99 }, (): Sketch => other), right];
    const rounds = [...spentReads, odd, right, other, right, odd, other, right, odd];
    const { verdict, summary, proofs } = verdictOn('STATUS-429', rounds);
    expect([verdict, summary]).toEqual(['fail', 'over the limit, requests of get-service are answered 403, not 429']);
    expect(proofs[0]?.evidence.map(({ status }) => status)).toEqual([429, 403, 403, 403]);
    // A refusal may come after them, if each says itself that nothing is left.
    const told = { ...odd, headers: headers({ remaining: ['0'] }) };
    const early = [...spentReads.slice(0, -1), told, other, told, other, told, right];
    expect(verdictOn('STATUS-429', early).verdict).toBe('pass');
    const last = [...spentReads.slice(0, -1), other, told, told, told, right];
    expect(verdictOn('STATUS-429', last).verdict).toBe('fail');
    // It is no way of refusing if a 429 comes too, if the same comes within the limit, or if it is rare.
    expect(verdictOn('STATUS-429', [...rounds, { ...one, status: 429 }]).verdict).toBe('pass');
    expect(verdictOn('STATUS-429', [one, odd, ...rounds]).verdict).toBe('pass');
    expect(verdictOn('STATUS-429', rounds.slice(0, -1)).verdict).toBe('pass');
  });

  test('says nothing where the budget was not spent, or the refusals do not last', () => {
    expect(verdictOn('STATUS-429', [...spent.slice(1), ...refused(9, 403)]).verdict).toBe('not tested');
    expect(verdictOn('STATUS-429', [...spent, ...refused(2, 403), {}]).verdict).toBe('not tested');
    expect(verdictOn('STATUS-429', [...spent, { operation: 'put-label' }]).verdict).toBe('inconclusive');
  });

  test('says nothing of a header in which the key is never accepted', () => {
    const other = refused(3, 401).map((each) => ({ ...each, credential: 'bearer' }));
    expect(verdictOn('STATUS-429', [...spent, ...other]).verdict).toBe('not tested');
  });

  test('fails where nothing is refused, and the oracle shows that the limit was passed', () => {
    const trace = traceOf([...spent, { operation: 'put-label' }]);
    const { verdicts } = judge(trace, limitsThat({ 'LIMIT-W': 'fail' }, { proofs: [proof] }));
    expect(verdicts.find((each) => each.id === 'STATUS-429')).toMatchObject({
      verdict: 'fail',
      proofs: [proof],
      followsFrom: ['LIMIT-W'],
    });
  });

  test.each(['interrupted', 'cut short'] as const)(
    'a run that was %s may have ended before the first refusal',
    (outcome) => {
      const trace = traceOf(
        Array.from({ length: 31 }, (): Sketch => ({ operation: 'put-label' })),
        { outcome },
      );
      const { verdicts } = judge(trace, limitsThat({ 'LIMIT-W': 'fail' }));
      expect(verdicts.find((each) => each.id === 'STATUS-429')?.verdict).toBe('inconclusive');
    },
  );

  test('successes spread over more than a minute spend nothing', () => {
    const slow = spent.map((each, index) => ({ ...each, sent: index * 3e6 }));
    const late = refused(3, 403).map((each, index) => ({ ...each, sent: 95e6 + index }));
    expect(verdictOn('STATUS-429', [...slow, ...late]).verdict).not.toBe('fail');
  });
});
