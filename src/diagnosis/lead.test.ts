import { expect, test } from 'vitest';
import type { SecondLimit } from '../deployment/deviations/second-limit.ts';
import type { Deviation } from '../deployment/operators.ts';
import type { Event } from '../oracle/history.ts';
import { SHAPES, type Shape } from '../oracle/shapes.ts';
import type { Kind } from '../trace/exchange.ts';
import type { KindDiagnosis } from './diagnose.ts';
import type { Explained } from './explained.ts';
import { lead, mayLead, mostThatLead } from './lead.ts';
import { bitsOfShape } from './proposal.ts';
import type { World } from './world.ts';

const [plain, odd] = [SHAPES[1], SHAPES[17]];
if (!plain || !odd) throw new Error('there are mechanisms');

const world = { histories: [] } as unknown as World;

const explained = (kind: Kind, shape: Shape): Explained => ({
  deviations: [
    {
      operator: 'moved-end',
      parameters: { kinds: [kind], trigger: 'request', to: { after: 60_000_000 }, idle: 0, told: true },
    } satisfies Deviation,
  ],
  ...{ bits: 15, world, fit: null, shape },
});

/** Reads that use by others explains in 16 bits, under mechanisms with these prices. */
const reads = (bitsUnder: ReadonlyMap<Shape, number>): KindDiagnosis => ({
  ...{
    kind: 'read',
    world,
    conforming: null,
    others: 'explain it',
    isSearched: true,
    cut: false,
    also: [],
    unexplained: [],
  },
  background: { requests: 4, complete: true, episodes: [], bits: 16, bitsUnder },
  deviating: [explained('read', plain)],
});

/** Writes that conform to an unusual mechanism, and that the explanation of the reads explains, too. */
const writes = (also: readonly Explained[]): KindDiagnosis => ({
  ...{
    kind: 'write',
    world,
    others: 'not needed',
    background: null,
    isSearched: true,
    deviating: [],
    cut: false,
    also,
    unexplained: [],
  },
  conforming: { fit: { shape: odd } as NonNullable<KindDiagnosis['conforming']>['fit'], histories: [], usedBefore: [] },
});

const leadOf = (bitsUnder: ReadonlyMap<Shape, number>, also: readonly Explained[]) =>
  lead(reads(bitsUnder), [writes(also)], explained('read', plain)).bits;

test('a deviation that explains the kind that conforms, too, spares the mechanism of that kind', () => {
  const none = new Map<Shape, number>();
  expect(leadOf(none, [])).toBe(1);
  expect(leadOf(none, [explained('write', plain)])).toBeCloseTo(1 + bitsOfShape(odd));
  // Another mechanism must be stated.
  expect(leadOf(none, [explained('write', odd)])).toBeCloseTo(1);
});

test('it spares no more than it costs others to explain both kinds under one mechanism', () => {
  expect(leadOf(new Map([[odd, 18]]), [explained('write', plain)])).toBe(3);
  expect(leadOf(new Map([[odd, 16]]), [explained('write', plain)])).toBe(1);
});

test('where only use by others explains one kind, no deviation leads on the other', () => {
  const own = reads(new Map());
  const other = { ...own, kind: 'write', deviating: [] } as const;
  expect(lead(own, [other], explained('read', plain)).bits).toBe(Number.NEGATIVE_INFINITY);
  expect(lead(own, [{ ...other, isSearched: false }], explained('read', plain)).bits).toBe(1);
});

const bucket = (kind: Kind): Explained => ({
  deviations: [
    {
      operator: 'other-mechanism',
      parameters: { kinds: [kind], name: 'token bucket', burst: 1, marker: 'all' },
    } satisfies Deviation,
  ],
  ...{ bits: 19, world, fit: null, shape: null },
});

test('a token bucket of both kinds leads where the use by others is not known of one of them', () => {
  const own = { ...reads(new Map()), deviating: [bucket('read')] };
  const other = { ...own, kind: 'write', others: 'may explain it', background: null } as const;
  expect(lead(own, [], bucket('read')).bits).toBeLessThan(0);
  const { bits } = lead(own, [{ ...other, deviating: [bucket('write')] }], bucket('read'));
  expect(bits).toBe(Number.POSITIVE_INFINITY);
});

test('refusals that tell of another limit do not lead for that: a budget that others have spent refuses alike', () => {
  const second = (told: SecondLimit['told']): Explained => ({
    ...explained('read', plain),
    deviations: [
      {
        operator: 'second-limit',
        parameters: { kinds: ['read'], only: null, limit: 79, window: 1_000_000, ...(told && { told }) },
      } satisfies Deviation,
    ],
  });
  const by = (told: SecondLimit['told']) => lead(reads(new Map()), [], second(told)).bits;
  expect(by({ counted: 'besides' })).toBe(Number.POSITIVE_INFINITY);
  expect(by({ counted: 'besides', by: 'refusals' })).toBe(1);
});

test('others leave multiples of ten by chance: each one that is told makes use by them dearer', () => {
  const rounded: Explained = {
    ...explained('read', plain),
    deviations: [
      {
        operator: 'remaining-header',
        parameters: { kinds: ['read'], change: { roundedDownTo: 10 }, only: 'all' },
      } satisfies Deviation,
    ],
  };
  const events = [90, 80, 80, 70, 0].map((remaining) => ({ remaining, from: 0, to: 0, outcome: 'failed' }));
  const told = { histories: [{ events, limit: 100 }] } as unknown as World;
  expect(lead({ ...reads(new Map()), world: told }, [], rounded).bits).toBeCloseTo(1 + 3 * Math.log2(10));
});

test('what takes as many bits as all that use by others may take does not lead', () => {
  const kinds = [reads(new Map()), writes([explained('write', plain)])] as const;
  const mostBits = mostThatLead(kinds);
  const dear = { ...explained('read', plain), bits: mostBits };
  expect(mayLead(dear, { mostBits })).toBe(false);
  expect(lead(kinds[0], [kinds[1]], dear).bits).toBeLessThanOrEqual(0);
  expect(mayLead(bucket('read'), { mostBits: 1 })).toBe(true);
  expect(mostThatLead([{ ...kinds[0], others: 'do not explain it' }])).toBe(Number.POSITIVE_INFINITY);
});

test('what only adds to what is left never leads over use by others, unless the other kind shows it', () => {
  const free = (kind: Kind): Explained => ({
    deviations: [{ operator: 'sporadic-weight', parameters: { kinds: [kind], oneIn: 10, weight: 0 } }],
    ...{ bits: 1, world, fit: null, shape: plain },
  });
  const own = { ...reads(new Map()), deviating: [free('read')] };
  expect(lead(own, [], free('read')).bits).toBe(Number.NEGATIVE_INFINITY);
  const shown: KindDiagnosis = { ...own, kind: 'write', others: 'do not explain it', deviating: [free('write')] };
  expect(lead(own, [shown], free('read')).bits).toBe(Number.POSITIVE_INFINITY);
});

test('use by others of reads and writes at one time is stated once, as one deviation of both is', () => {
  const answer = (at: number) => ({ outcome: 'accepted', from: at, to: at, remaining: 9, reset: null }) as Event;
  const used = (kind: Kind, at: number): KindDiagnosis => {
    const history = { key: 'key-1', kind, events: [answer(0), answer(at), answer(240e6)], offset: { low: 0, high: 0 } };
    const episode = { key: 'key-1', event: answer(at), requests: 1, since: at - 100_000, until: at };
    return {
      ...reads(new Map()),
      ...{ kind, world: { histories: [history] } as unknown as World, deviating: [explained(kind, plain)] },
      background: { requests: 1, complete: true, episodes: [episode], bits: 16, bitsUnder: new Map() },
    };
  };
  const leadIf = (at: number): number => lead(used('read', 60e6), [used('write', at)], explained('read', plain)).bits;
  expect(leadIf(60e6)).toBeLessThan(leadIf(180e6) - 4);
});
