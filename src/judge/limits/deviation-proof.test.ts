import { expect, test } from 'vitest';
import type { MarkerHeader } from '../../deployment/deviations/marker-header.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { conformingWorld } from '../../diagnosis/world.ts';
import type { Event, History } from '../../oracle/history.ts';
import type { MechanismName } from '../../oracle/variant.ts';
import { exchanges } from '../trace-builder.test-support.ts';
import { deviationProof, showing } from './deviation-proof.ts';
import { refutation } from './refutation.ts';

const S = 1e6;

/** Accepted reads with their second, Remaining and marker (s). */
function history(...answers: readonly (readonly [at: number, remaining: number, reset: number])[]): History {
  const recorded = exchanges(...answers.map(() => ({})));
  const events = answers.flatMap(([at, remaining, reset], index): Event[] => {
    const exchange = recorded[index];
    const times = { from: at * S, to: at * S + 1000 };
    return exchange
      ? [{ exchange, ...times, outcome: 'accepted', remaining, reset: reset * S } as unknown as Event]
      : [];
  });
  return { events, limit: 100, shown: 100, unit: S, offset: { low: 0, high: 0 }, kind: 'read' } as unknown as History;
}
const last = (operator: Deviation['operator'], own: History): string | undefined =>
  showing({ operator, parameters: {} } as Deviation, [own])?.argument.at(-1);

test('a token bucket is shown by what came back of a budget, and not by its marker', () => {
  const trickle = history([0, 50, 60], [1, 49, 61], [10, 60, 70]);
  expect(last('other-mechanism', trickle)).toMatch(/Until then, 12 of the budget had come back, but not all/);
});

test('a marker that stays is shown by two answers that carry it more than a window apart', () => {
  expect(last('marker-header', history([0, 99, 60], [1, 98, 60], [65, 99, 60]))).toMatch(
    /have X-RateLimit-Reset .*, though 65\.0 s passed between them/,
  );
});

test('an end that moves is shown by the answer that stated another one before', () => {
  const moves = history([0, 99, 60], [20, 98, 60], [30, 97, 90], [65, 96, 90]);
  expect(last('moved-end', moves)).toMatch(
    /^X-RateLimit-Reset of #2 is .*, but #3, which was answered before that time, has/,
  );
  expect(last('moved-end', history([0, 99, 60], [59.5, 98, 60], [61, 99, 121])) ?? '').not.toMatch(/before that time/);
  // Where all state one end, and it is the window that lasts too long, by a clock that was set back.
  expect(last('moved-end', history([0, 99, 60], [20, 98, 60], [61, 97, 60]))).toMatch(
    /have X-RateLimit-Reset .*, though 61\.0 s passed between them/,
  );
});

test('an end that no marker tells is shown by a budget that is whole twice within a minute', () => {
  const untold = (own: History): string | undefined =>
    showing({ operator: 'moved-end', parameters: { told: false } } as Deviation, [own])?.argument.at(-1);
  const twice = history([0, 97, 60], [10, 99, 60], [11, 98, 60], [30, 99, 60]);
  expect(untold(twice)).toMatch(/^After #1, #2 found the whole budget, and so did #4 after #2, all within 30.0 s:/);
  const once = history([0, 97, 60], [10, 99, 60], [11, 98, 60], [70.5, 99, 60]);
  expect(untold(once)).not.toMatch(/and so did/);
});

test('a pause that ends a window is shown by a whole budget before the end that the window stated', () => {
  const untold = (own: History): string | undefined =>
    showing({ operator: 'moved-end', parameters: { told: false } } as Deviation, [own])?.argument.at(-1);
  expect(untold(history([0, 99, 61], [1, 98, 61], [50, 99, 111]))).toMatch(
    /^#2 left 98 in a window that lasts until its X-RateLimit-Reset, .*\. #3 was answered at least 10 s before that time, and found the whole budget/,
  );
  expect(untold(history([0, 99, 61], [1, 98, 61], [59.9, 97, 61])) ?? '').not.toMatch(/whole budget/);
  // A marker of whole seconds may be rounded up.
  expect(untold(history([0, 99, 61], [1, 98, 61], [60.1, 99, 121])) ?? '').not.toMatch(/whole budget/);
});

test('a window that ends later than it states is shown by a budget that is not back by then', () => {
  const parameters = {
    kinds: ['read'],
    trigger: 'bad request',
    statuses: [400],
    to: { after: 60 * S },
    idle: 0,
  } as const;
  const longer = history([0, 99, 60], [1, 98, 60], [65, 97, 60], [80, 96, 60]);
  const shown = showing({ operator: 'moved-end', parameters: { ...parameters, told: false } }, [longer]);
  expect(shown?.argument.at(-1)).toMatch(
    /^#3 was sent after the X-RateLimit-Reset of #2, .*: no window ended there\.$/,
  );
});

test('an end that is computed anew for each answer does not move', () => {
  const told = (own: History): string | undefined =>
    showing({ operator: 'moved-end', parameters: { told: true } } as Deviation, [own])?.argument.at(-1);
  const fine = { ...history([0, 99, 60], [20, 98, 60.008], [30, 97, 90]), unit: 1000 };
  expect(told(fine)).toMatch(/^X-RateLimit-Reset of #2 is .*, but #3, which was answered before that time, has/);
});

test('more than the limit are of one window, though its end is rounded to two seconds', () => {
  const crowd = history(...Array.from({ length: 102 }, (_, at) => [at / 100, 99 - (at >> 1), 60 + (at % 2)] as const));
  expect(last('lost-updates', crowd)).toMatch(
    /^From #1 to #102, 102 requests were accepted whose X-RateLimit-Reset is .*: one window/,
  );
});

test('where the last of more than the limit does not have the fewest left, that which has is shown too', () => {
  const left = Array.from({ length: 102 }, (_, at) => (at === 97 ? 0 : at === 101 ? 12 : 99 - (at >> 1)));
  const crowd = history(...left.map((remaining, at) => [at / 100, remaining, 60] as const));
  const shown = showing({ operator: 'lost-updates', parameters: {} } as Deviation, [crowd]);
  expect(shown?.events.map(({ remaining }) => remaining)).toEqual([99, 0, 12]);
  expect(shown?.argument.at(-1)).toMatch(/: one window\. Of these, #98 left the fewest: 0\. The limit is 100\.$/);
  const inOrder = history(
    ...left.toSorted((one, other) => other - one).map((each, at) => [at / 100, each, 60] as const),
  );
  expect(last('lost-updates', inOrder)).toMatch(/: one window\. The limit is 100\.$/);
});

test('two answers are said to be of one window only where no marker lasts for longer than one', () => {
  expect(last('sporadic-weight', history([0, 99, 60], [50, 98, 60], [55, 98, 60]))).toMatch(/in the same window/);
  expect(last('sporadic-weight', history([0, 99, 60], [59, 97, 60], [61, 98, 60], [65, 97, 60])) ?? '').not.toMatch(
    /in the same window/,
  );
});

test('requests of a class that share a budget are shown by two of them, sent with two keys', () => {
  const both = history([0, 99, 60], [1, 98, 60], [2, 60, 60], [3, 97, 60]);
  const ways = ['bearer', 'bearer', 'x-api-key', 'bearer'] as const;
  const events = both.events.map((event, at) => {
    const exchange = { ...event.exchange, key: at === 1 ? 'key-2' : 'key-1', credential: ways[at] ?? 'bearer' };
    return { ...event, exchange };
  });
  const only = { attribute: 'credential', classes: ['bearer'] } as const;
  const shared: Deviation = {
    operator: 'shared-keys',
    parameters: { kinds: ['read'], blocks: [['key-1', 'key-2']], only },
  };
  const of = (key: string) => ({ ...both, key, events: events.filter(({ exchange }) => exchange.key === key) });
  const shown = showing(shared, [of('key-1'), of('key-2')]);
  expect(shown?.events.map(({ from }) => from / S)).toEqual([0, 1]);
  expect(shown?.argument.at(-1)).toMatch(/with another key than #\d+, and left one fewer/);
});

test('a limit of one key is shown on this key, by a refusal after too few accepted requests', () => {
  const other = { ...history([0, 99, 60], [1, 99, 60]), key: 'key-1' };
  const own = history([0, 1, 60], [1, 0, 60], [2, 0, 60]);
  const refused = own.events.map((event, at) => (at === 2 ? { ...event, outcome: 'refused' as const } : event));
  const parameters = { kind: 'read', limit: 2, limitHeader: 100, remainingFrom: 2, from: 'always' };
  const deviation = { operator: 'other-limit', parameters, keys: ['key-2'] } as Deviation;
  const shown = showing(deviation, [other, { ...own, key: 'key-2', events: refused }]);
  expect(shown?.events).toEqual(refused);
  expect(shown?.argument.at(-1)).toMatch(/2 requests were accepted .* The limit is 100, and #\d+ was refused/);
});

test('windows of another length are shown by markers that no idle time explains', () => {
  const shorter = history([0, 99, 50], [1, 98, 50], [55, 99, 105]);
  expect(last('window-length', shorter)).toMatch(
    /^X-RateLimit-Reset of #1 and that of #3 are 55 s apart: windows of a minute end/,
  );
  const idle = history([0, 99, 60], [1, 98, 60], [65, 99, 125]);
  expect(last('window-length', idle) ?? '').not.toMatch(/apart/);
  const longer = history([0, 99, 75], [70, 98, 75], [76, 99, 151]);
  expect(last('window-length', longer)).toMatch(/are 76 s apart: #3 was answered 6\.0 s after #2 was sent/);
});

test('markers nearer than the windows that they are said to tell of are those of a log, and are not compared', () => {
  const parameters = { kinds: ['read'], length: 55 * S, told: 55 * S, from: 'always' } as const;
  const shown = (own: History) => showing({ operator: 'window-length', parameters }, [own])?.argument.at(-1) ?? '';
  const log = history([0, 99, 55], [3, 98, 55], [55.5, 98, 58], [58.5, 98, 110.5]);
  expect(shown(log)).not.toMatch(/windows of a minute end/);
  expect(shown(history([0, 99, 55], [3, 98, 55], [55.5, 99, 110]))).toMatch(/55 s apart: windows of a minute end/);
});

test('what holds for some keys is proved by requests of these keys alone', () => {
  const ofKey = (key: string, own: History): History => ({
    ...own,
    key,
    events: own.events.map((event) => ({ ...event, exchange: { ...event.exchange, key } })),
  });
  // Both contradict windows from the first request, and the second one the deviation is about.
  const both = [history([0, 99, 60], [1, 97, 60]), history([0, 99, 50], [1, 98, 50], [55, 99, 105])];
  const world = conformingWorld(both.map((own, at) => ofKey(`key-${at + 1}`, own)));
  const parameters = { kinds: ['read'], length: 50 * S, told: 50 * S, from: 'always' } as const;
  const own = deviationProof('', { operator: 'window-length', parameters, keys: ['key-2'] }, { ...READS, world }, []);
  expect(new Set(own.evidence.map(({ key }) => key))).toEqual(new Set(['key-2']));
});

test('what is wrong with markers is argued by one that refutes a mechanism, before all others', () => {
  const left = history([0, 99, 60], [61, 98, 121]);
  const marked = history([0, 99, 61], [1, 98, 40]);
  const world = conformingWorld([left, marked].map((own, at) => ({ ...own, key: `key-${at + 1}` })));
  expect(refutation({ world }).argument[0]).toMatch(/^Not .*: #2 says that/);
  expect(refutation({ world }, 'X-RateLimit-Reset').argument[0]).toMatch(
    /^Not .*: X-RateLimit-Reset of #2 lies before/,
  );
});

test('what contradicts the mechanism that a deployment has comes before what contradicts others', () => {
  const world = conformingWorld([{ ...history([0, 99, 60], [1, 98, 60], [50, 99, 110]), key: 'key-1' }]);
  const first = (mechanism: MechanismName) => refutation({ world }, '', mechanism).argument[0];
  expect(first('log')).toMatch(/^Not sliding log, nor fixed windows from the first request: #3 says/);
  expect(first('anchored, key')).toMatch(/^Not fixed windows from the first request, nor sliding log: #3 says/);
});

test('a wrong marker is never shown by how requests are counted', () => {
  const crowd = history(...Array.from({ length: 102 }, (_, at) => [at / 100, Math.max(0, 99 - at), 60] as const));
  const marker = (change: MarkerHeader['change']): Deviation => {
    return { operator: 'marker-header', parameters: { kinds: ['read'], change, only: 'all' } };
  };
  expect(showing(marker({ offset: 7200 * S }), [crowd])).toBeNull();
  const late = { ...crowd, events: crowd.events.map((event) => ({ ...event, reset: 7260 * S })) };
  expect(showing(marker({ offset: 7200 * S }), [late])?.argument.at(-1)).toMatch(
    /X-RateLimit-Reset of #1 lies at least 7260\.0 s in the future/,
  );
  const ahead = history([0, 99, 60], [5, 98, 65], [9, 97, 69], [60.5, 99, 120.5]);
  const shown = showing(marker({ ahead: 60 * S }), [ahead]);
  expect(shown?.events.map(({ reset }) => (reset ?? 0) / S)).toEqual([60, 69]);
  expect(shown?.argument.at(-1)).toMatch(/^From #1 to #3, what is left only becomes less, from 99 to 97: one window/);
  expect(shown?.argument.at(-1)).toMatch(/X-RateLimit-Reset of #3, sent 9 s later, is 9 s later than that of #1\.$/);
});

/** Of reads that no conforming deployment explains. */
const READS = { kind: 'read', conforming: null } as const;

test('requests that are charged to a key are shown with what this key lacks', () => {
  const used = history([0, 99, 60], [5, 90, 60]);
  const [first, second] = used.events;
  const [bad] = exchanges({ seq: 9, kind: 'read', fault: 'bad-key', variation: 'unknown', status: 401 });
  if (!first || !second || !bad) throw new Error('too few requests');
  const charged = { ...first, exchange: bad, from: 2 * S, to: 2 * S + 1000, outcome: 'foreign' } as Event;
  const histories = ['key-1', 'key-2'].map((key): History => ({ ...used, key }));
  const world = conformingWorld(histories);
  const under = { ...world, histories: [{ ...used, key: 'key-2', events: [first, charged, second] }] };
  const deviation = { operator: 'anonymous-charged', parameters: { which: 'bad key', to: 'key-2' } } as const;
  const { argument, evidence } = deviationProof('', deviation, { ...READS, world }, [], { world: under, shape: null });
  expect(evidence).toContain(bad);
  expect(argument.join(' ')).toContain('#9, a read with a key that is not accepted, was answered 401 between them.');
});

test('a marker of no window is shown by an answer after it, to which nothing has come back', () => {
  const change = { clock: 30 * S };
  const deviation = { operator: 'marker-header', parameters: { kinds: ['read'], change, only: 'all' } } as const;
  const shown = (own: History): string | undefined => showing(deviation, [own])?.argument.at(-1);
  expect(shown(history([0, 60, 30], [1, 59, 30], [35, 58, 90]))).toMatch(
    /^#3 was sent after the X-RateLimit-Reset of #2, .*, had passed. At most 0 other reads .* found 59 left of 100: no window ended/,
  );
  expect(shown(history([0, 60, 30], [1, 59, 30], [35, 99, 90])) ?? '').not.toMatch(/had passed/);
});
