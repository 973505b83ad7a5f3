import { expect, test } from 'vitest';
import type { RequirementId } from '../../catalogue/requirement.ts';
import type { KindRuling } from '../../diagnosis/kind-ruling.ts';
import { exchanges } from '../trace-builder.test-support.ts';
import { rulingsOfKinds } from './kind-rulings.ts';
import { ALONE, MEND, NOBODYS } from './next-run.ts';

/** Reads that nothing explains: this many were accepted with one marker, 0.1 s apart. */
function unexplained(accepted: number): KindRuling {
  const events = exchanges(...Array.from({ length: accepted }, () => ({}))).map((exchange, index) => ({
    exchange,
    from: index * 1e5,
    to: index * 1e5 + 1000,
    outcome: 'accepted',
    remaining: 99,
    reset: 60e6,
  }));
  const history = { events, limit: 100, unit: 1e6, kind: 'read' };
  const diagnosis = { kind: 'read', world: { histories: [history] } };
  return { outcome: 'unexplained', minimal: [], diagnosis } as unknown as KindRuling;
}

const summaryOf = (id: RequirementId, accepted: number) => rulingsOfKinds(id, [unexplained(accepted)])[0]?.summary;

test('where deviations explain the run, LIMIT-HISTORY names the failures that show them, and repeats no sentence', () => {
  const deviations = [
    {
      operator: 'other-limit',
      parameters: { kind: 'read', limit: 110, limitHeader: 100, remainingFrom: 100, from: 'always' },
    },
    { operator: 'shared-kinds', parameters: { how: 'one count' } },
  ];
  const diagnosis = { kind: 'read', world: { histories: [] } };
  const broken = new Set(['LIMIT-R', 'LIMIT-RW']);
  const kind = { outcome: 'deviates', minimal: [{ deviations }], broken, disputed: new Set(), diagnosis };
  expect(rulingsOfKinds('LIMIT-HISTORY', [kind as unknown as KindRuling])).toMatchObject([
    { summary: 'This cannot be judged of reads because of LIMIT-R and LIMIT-RW.', remedy: MEND },
  ]);
  const unread = { ...kind, minimal: [{ deviations, fit: null }] };
  expect(rulingsOfKinds('HDR-7', [unread as unknown as KindRuling])).toMatchObject([
    { summary: 'This cannot be judged of reads because of LIMIT-R and LIMIT-RW.', remedy: MEND },
  ]);
});

test.each([
  ['shared-kinds', 'LIMIT-RW'],
  ['other-limit', 'LIMIT-R and LIMIT-W'],
])('what deviations of reads and of writes hide is said once: %s', (operator, causes) => {
  const [read, write] = (['read', 'write'] as const).map((kind) => {
    const parameters = { how: 'one count', kind, limit: 50, limitHeader: 100, remainingFrom: 50, from: 'always' };
    const diagnosis = { kind, world: { histories: [] } };
    const broken = new Set(operator === 'shared-kinds' ? ['LIMIT-RW'] : [kind === 'read' ? 'LIMIT-R' : 'LIMIT-W']);
    const minimal = [{ deviations: [{ operator, parameters }] }];
    return { outcome: 'deviates', minimal, broken, disputed: new Set(), diagnosis };
  });
  const told = rulingsOfKinds('LIMIT-HISTORY', [read, write] as unknown as KindRuling[]);
  expect(told.map(({ summary }) => summary)).toEqual([`This cannot be judged because of ${causes}.`]);
});

test('what is said of reads alone and of writes alone, in the same words, is said once', () => {
  const [read, write] = (['read', 'write'] as const).map((kind, at) => {
    const parameters = { kinds: [kind], trigger: 'unknown', to: { later: at }, idle: 0, told: true };
    const deviations = [{ operator: 'moved-end', parameters }];
    const diagnosis = { kind, world: { histories: [] } };
    const minimal = [{ deviations, world: { histories: [] } }];
    return { outcome: 'deviates', minimal, broken: new Set(['LIMIT-WINDOW']), disputed: new Set(), diagnosis };
  });
  const told = (...kinds: readonly unknown[]) =>
    rulingsOfKinds('LIMIT-WINDOW', kinds as KindRuling[]).map(({ summary }) => summary);
  expect(told(read)).toEqual(['Windows end at other times than a minute after they began (reads only).']);
  expect(told(read, write)).toEqual(['Windows end at other times than a minute after they began.']);
});

test('where nothing explains the run, a limit is left open without hiding that more requests than it were accepted', () => {
  expect(summaryOf('LIMIT-R', 104)).toBe(
    'From #1 to #104, 104 reads were accepted with the X-RateLimit-Reset of one window, and the limit is 100: the limit or X-RateLimit-Reset is wrong. No known deployment explains the run (see LIMIT-HISTORY), so it is open whether it breaks this.',
  );
  const named = {
    outcome: 'deviates',
    broken: new Set(['HDR-4']),
    minimal: [],
    diagnosis: { kind: 'write', world: { histories: [] } },
  };
  expect(rulingsOfKinds('LIMIT-KEY', [unexplained(9), named as unknown as KindRuling])[0]).toMatchObject({
    summary: 'No known deployment explains the reads, so it is open whether it breaks this.',
    remedy: MEND,
  });
  for (const text of [summaryOf('LIMIT-R', 100), summaryOf('HDR-4', 104)]) expect(text).toMatch(/^No known deployment/);
});

test.each([
  [
    [],
    'The budgets of reads have less left than the requests of the run explain: others may have used the keys during the run.',
  ],
  [
    ['key-2'],
    'The reads of key-2 have less left than the requests of the run explain: others may have used this key during the run.',
  ],
  [
    ['key-1', 'key-3'],
    'The reads of key-1, key-3 have less left than the requests of the run explain: others may have used these keys during the run.',
  ],
])('where it is open whether others used keys, those that nothing explains are named: %j', (keys, due) => {
  const world = { histories: [] };
  const diagnosis = { kind: 'read', world, background: null, cut: false, others: 'may explain it', unexplained: keys };
  const [ruling] = rulingsOfKinds('LIMIT-R', [{ outcome: 'open', minimal: [], diagnosis } as unknown as KindRuling]);
  expect(ruling?.summary).toBe(due);
});

test('a deviation that is likelier than use by others, but may be so by chance, is said beside it', () => {
  const background = { complete: true, requests: 33, episodes: [{ key: 'key-1', event: { exchange: { seq: 7 } } }] };
  const diagnosis = { kind: 'write', world: { histories: [] }, background, cut: false, others: 'explain it' };
  const parameters = { kinds: ['write'], trigger: 'request', to: { after: 60e6 }, idle: 0, told: true };
  const likelier = { deviations: [{ operator: 'moved-end', parameters }] };
  const told = (more: object) =>
    rulingsOfKinds('LIMIT-W', [{ outcome: 'open', minimal: [], diagnosis, ...more } as unknown as KindRuling])[0];
  expect(told({ likelier })?.summary).toMatch(/^Others seem to have used the writes of key-1/);
  expect(told({ likelier })?.remedy).toBe(
    `${ALONE} If nobody else used these keys, this is the cause: Each request moves the end of the window to 60 s from then (writes only).`,
  );
  expect(told({})?.remedy).toBe(`${ALONE} ${NOBODYS}`);
});
