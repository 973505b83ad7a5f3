import { expect, test } from 'vitest';
import type { Deviation } from '../deployment/operators.ts';
import type { Kind } from '../trace/exchange.ts';
import { inCommon, isSameRule, sameDeviations } from './same-rule.ts';

const windows = (kind: Kind, length: number): readonly Deviation[] => [
  { operator: 'window-length', parameters: { kinds: [kind], length, told: 60e6, from: 'always' } },
];

test('windows of both kinds that are too short deviate alike, though each kind measures another length', () => {
  expect(sameDeviations(windows('read', 58.6e6), windows('write', 57e6))).toBe(true);
  expect(isSameRule(windows('read', 58.6e6), windows('write', 57e6))).toBe(false);
  expect(isSameRule(windows('read', 57e6), windows('write', 57e6))).toBe(true);
});

test('deviations are compared in any order, and those that both have are counted once each', () => {
  const lost: Deviation = { operator: 'lost-updates', parameters: { kinds: ['read'], gap: 0, when: 'always' } };
  const [short] = windows('read', 57e6);
  if (!short) throw new Error('there is one');
  expect(sameDeviations([short, lost], [lost, ...windows('write', 58e6)])).toBe(true);
  expect(inCommon([short, lost], [lost])).toEqual([lost]);
  expect(inCommon([lost, lost], [lost, short])).toEqual([lost]);
  expect(sameDeviations([short, lost], [lost])).toBe(false);
});

test('counts of both kinds that are lost at one moment are lost together, and at two moments twice', () => {
  const lost = (kind: Kind, at: number, again?: number): readonly Deviation[] => [
    { operator: 'counters-lost', parameters: { kinds: [kind], at, ...(again === undefined ? {} : { again }) } },
  ];
  expect(sameDeviations(lost('read', 60e6), lost('write', 61e6))).toBe(true);
  expect(sameDeviations(lost('read', 60e6), lost('write', 93e6))).toBe(false);
  expect(sameDeviations(lost('read', 60e6, 2), lost('write', 93e6, 2))).toBe(true);
});

test('what is carried over is the same of both kinds, though only one shows how much at the most', () => {
  const carried = (kind: Kind, most?: number): readonly Deviation[] => [
    {
      operator: 'carried-over',
      parameters: { kinds: [kind], what: 'unused', ...(most === undefined ? {} : { most }) },
    },
  ];
  expect(sameDeviations(carried('read'), carried('write', 7))).toBe(true);
  expect(isSameRule(carried('read'), carried('write', 7))).toBe(false);
});

test('clocks of nodes differ alike for both kinds, though each shows another routing and another difference', () => {
  const apart = (kind: Kind, ahead: number, routing: 'in turn' | 'at random'): readonly Deviation[] => [
    { operator: 'clocks-apart', parameters: { kinds: [kind], ahead, routing } },
  ];
  expect(sameDeviations(apart('read', 4e6, 'at random'), apart('write', 5e6, 'in turn'))).toBe(true);
  expect(isSameRule(apart('read', 4e6, 'at random'), apart('write', 5e6, 'in turn'))).toBe(false);
});
