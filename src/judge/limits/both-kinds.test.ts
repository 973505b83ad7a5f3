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
    diagnosis: { conforming: null, also: [] },
  }) as unknown as KindRuling;

test('one loss of all counts is said of both kinds, at a moment that explains both', () => {
  const reads = explainedBy(lost('read', 59.4));
  const writes = explainedBy(lost('write', 59.5), lost('write', 59.4));
  const both = { operator: 'counters-lost', parameters: { kinds: ['read', 'write'], at: 59.4e6 } };
  expect(saidOfBoth(lost('read', 59.4), reads.minimal, [writes])).toEqual(both);
  expect(saidOfBoth(lost('write', 59.5), writes.minimal, [reads])).toEqual(both);
});

test('losses of which no moment explains both kinds are two', () => {
  const reads = explainedBy(lost('read', 20));
  const writes = explainedBy(lost('write', 59));
  expect(saidOfBoth(lost('write', 59), writes.minimal, [reads])).toEqual(lost('write', 59));
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
  expect(saidOfBoth(apartBy(['read'], ofReads[0] ?? told), reads.minimal, [writes])).toEqual(both);
  expect(saidOfBoth(apartBy(['write'], ofWrites[0] ?? told), writes.minimal, [reads])).toEqual(both);
});

test('budgets that no attribute explains of both kinds are told apart', () => {
  const [ofGroup, ofMethod] = [apartBy(['read'], 'group'), apartBy(['write'], 'method')];
  expect(saidOfBoth(ofGroup, explainedBy(ofGroup).minimal, [explainedBy(ofMethod)])).toEqual(ofGroup);
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
  expect(saidOfBoth(moved('read'), reads.minimal, [conformingBy(counter)])).toMatchObject({
    parameters: { kinds: ['read', 'write'] },
  });
  expect(saidOfBoth(moved('read'), reads.minimal, [conformingBy(anchored)])).toEqual(moved('read'));
});
