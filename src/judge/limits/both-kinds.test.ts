import { expect, test } from 'vitest';
import type { Attribute } from '../../deployment/attribute.ts';
import type { Deviation } from '../../deployment/operators.ts';
import type { KindRuling } from '../../diagnosis/kind-ruling.ts';
import { SHAPES } from '../../oracle/shapes.ts';
import type { Kind } from '../../trace/exchange.ts';
import { saidOfBoth } from './both-kinds.ts';

const lost = (kind: Kind, seconds: number): Deviation => ({
  operator: 'counters-lost',
  parameters: { kinds: [kind], at: seconds * 1e6 },
});

const explainedBy = (...deviations: readonly Deviation[]): KindRuling =>
  ({
    minimal: deviations.map((each) => ({ deviations: [each] })),
    diagnosis: { conforming: null, also: [], deviating: deviations.map((each) => ({ deviations: [each] })) },
  }) as unknown as KindRuling;

test('one loss of all counts is said of both kinds, at a moment that explains both', () => {
  const reads = explainedBy(lost('read', 59.4));
  const writes = explainedBy(lost('write', 59.5), lost('write', 59.4));
  const both = { operator: 'counters-lost', parameters: { kinds: ['read', 'write'], at: 59.4e6 } };
  expect(saidOfBoth(lost('read', 59.4), reads, [writes])).toEqual(both);
  expect(saidOfBoth(lost('write', 59.5), writes, [reads])).toEqual(both);
});

test('losses of which no moment explains both kinds are two', () => {
  const reads = explainedBy(lost('read', 20));
  const writes = explainedBy(lost('write', 59));
  expect(saidOfBoth(lost('write', 59), writes, [reads])).toEqual(lost('write', 59));
});

test('requests of both kinds that are counted late are said with the longest time that either shows', () => {
  const late = (kinds: readonly Kind[], lag: number): Deviation => ({
    operator: 'late-counting',
    parameters: { kinds, lag, answered: 'when decided' },
  });
  const [reads, writes] = [late(['read'], 37_000), late(['write'], 33_000)];
  const both = late(['read', 'write'], 37_000);
  expect(saidOfBoth(reads, explainedBy(reads), [explainedBy(writes)])).toEqual(both);
  expect(saidOfBoth(writes, explainedBy(writes), [explainedBy(reads)])).toEqual(both);
  expect(saidOfBoth(writes, explainedBy(writes), [explainedBy()])).toEqual(writes);
  const [some, others] = [reads, writes].map((each) => ({ ...each, keys: ['key-2'] }) as Deviation);
  if (!some || !others) throw new Error('there are two');
  expect(saidOfBoth(some, explainedBy(some), [explainedBy(others)])).toEqual({ ...both, keys: ['key-2'] });
});

test('stores that are too small for each kind are one store of both, if one of this size explains either', () => {
  const keeping = (kind: Kind, kept: number, store?: 'of both kinds'): Deviation => ({
    operator: 'counters-lost',
    parameters: { kinds: [kind], kept, ...(store && { store }) },
  });
  const under = (...deviations: readonly Deviation[]): KindRuling => ({
    ...explainedBy(...deviations),
    minimal: deviations.slice(0, 1).map((each) => ({ deviations: [each] })) as unknown as KindRuling['minimal'],
  });
  const ofBoth = (kind: Kind, ...sizes: readonly number[]) => sizes.map((kept) => keeping(kind, kept, 'of both kinds'));
  const reads = under(keeping('read', 3), ...ofBoth('read', 7, 6));
  const own = keeping('read', 3);
  const said = { operator: 'counters-lost', parameters: { kinds: ['read', 'write'], kept: 6, store: 'of both kinds' } };
  expect(saidOfBoth(own, reads, [under(keeping('write', 3), ...ofBoth('write', 6))])).toEqual(said);
  expect(saidOfBoth(own, reads, [under(keeping('write', 2), ...ofBoth('write', 5))])).toEqual(own);
  expect(saidOfBoth(own, reads, [])).toEqual(own);
});

const apartBy = (kinds: readonly Kind[], attribute: Attribute): Deviation => ({
  operator: 'finer-scope',
  parameters: { kinds, attribute, blocks: [], exempt: [], others: 'apart', exemptHeaders: 'of the others' },
});

test.each<[string, readonly Attribute[], readonly Attribute[], Attribute]>([
  ['one write in each group', ['group'], ['operation', 'group', 'path'], 'group'],
  ['one write for each method', ['method', 'path'], ['operation', 'method'], 'method'],
  ['several that explain both', ['group', 'operation'], ['operation', 'group'], 'operation'],
])('budgets of both kinds are told by an attribute that explains both: %s', (_, ofReads, ofWrites, told) => {
  const reads = explainedBy(...ofReads.map((each) => apartBy(['read'], each)));
  const writes = explainedBy(...ofWrites.map((each) => apartBy(['write'], each)));
  const both = apartBy(['read', 'write'], told);
  expect(saidOfBoth(apartBy(['read'], ofReads[0] ?? told), reads, [writes])).toEqual(both);
  expect(saidOfBoth(apartBy(['write'], ofWrites[0] ?? told), writes, [reads])).toEqual(both);
});

test('budgets that no attribute explains of both kinds are told apart', () => {
  const [ofGroup, ofMethod] = [apartBy(['read'], 'group'), apartBy(['write'], 'method')];
  expect(saidOfBoth(ofGroup, explainedBy(ofGroup), [explainedBy(ofMethod)])).toEqual(ofGroup);
});

test('a rule is said of both kinds if one of them conforms only by a mechanism of its own', () => {
  const moved = (kind: Kind): Deviation => ({
    operator: 'moved-end',
    parameters: { kinds: [kind], trigger: 'request', to: { after: 60e6 }, idle: 0, told: true },
  });
  const [anchored, counter] = ['anchored', 'counter'].map((name) =>
    SHAPES.find(({ mechanism, lag }) => mechanism === name && lag === 0),
  );
  const conformingBy = (shape: typeof counter): KindRuling =>
    ({
      minimal: [],
      diagnosis: { conforming: { fit: { shape } }, also: [{ deviations: [moved('write')], bits: 0, shape: anchored }] },
    }) as unknown as KindRuling;
  const reads = explainedBy(moved('read'));
  expect(saidOfBoth(moved('read'), reads, [conformingBy(counter)])).toMatchObject({
    parameters: { kinds: ['read', 'write'] },
  });
  expect(saidOfBoth(moved('read'), reads, [conformingBy(anchored)])).toEqual(moved('read'));
});
