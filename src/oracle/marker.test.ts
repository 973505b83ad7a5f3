import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EPOCH, exchanges, headers } from '../judge/trace-builder.test-support.ts';
import { inferMarker, inferMarkers } from './marker.ts';

/** Units of a second and their zero, in µs since the Unix epoch. */
const UNITS = [
  ['seconds since the epoch', 1_000_000_000n, 0],
  ['tenths of a second since the epoch', 100_000_000n, 0],
  ['hundredths of a second since the epoch', 10_000_000n, 0],
  ['milliseconds since the epoch', 1_000_000n, 0],
  ['microseconds since the epoch', 1000n, 0],
  ['units of 100 ns since the epoch', 100n, 0],
  ['nanoseconds since the epoch', 1n, 0],
  ['minutes since the epoch', 60_000_000_000n, 0],
  ['seconds since 1900 (NTP)', 1_000_000_000n, Date.UTC(1900, 0, 1)],
  ['seconds since 1904', 1_000_000_000n, Date.UTC(1904, 0, 1)],
  ['seconds since 2000', 1_000_000_000n, Date.UTC(2000, 0, 1)],
  ['milliseconds since 2000', 1_000_000n, Date.UTC(2000, 0, 1)],
  ['microseconds since 2000', 1000n, Date.UTC(2000, 0, 1)],
  ['seconds since 2001', 1_000_000_000n, Date.UTC(2001, 0, 1)],
  ['milliseconds since 2001', 1_000_000n, Date.UTC(2001, 0, 1)],
  ['units of 100 ns since 1601 (FILETIME)', 100n, Date.UTC(1601, 0, 1)],
  ['units of 100 ns since the year 1 (ticks)', 100n, Date.parse('0001-01-01T00:00:00Z')],
] as const;

test.each(UNITS)(
  'a marker in %s is read to the unit, whenever the run was, on clocks up to two hours apart',
  (name, unit, zero) => {
    const year = { min: Date.UTC(2024, 0, 1), max: Date.UTC(2036, 0, 1) };
    fc.assert(
      fc.property(fc.integer(year), fc.integer({ min: -7200, max: 7260 }), (start, ahead) => {
        const time = BigInt(start + ahead * 1000 - zero) * 1_000_000n;
        const lines = [`${time / unit}`];
        const reading = inferMarker(exchanges({ sent: 0, headers: headers({ reset: lines }) }), start * 1000);
        expect(reading.name).toBe(name);
        const off = ahead * 1e6 - (reading.read(lines) ?? Number.NaN);
        expect(off).toBeGreaterThanOrEqual(-1);
        expect(off).toBeLessThan(Math.max(2, Number(unit) / 1000));
      }),
    );
  },
);

test.each([
  ['YYYYMMDDhhmmss', 1e6, 14],
  ['YYYYMMDDhhmmssSSS', 1e3, 17],
  ['YYYYMMDDhhmm', 60e6, 12],
  ['YYYYMMDDhhmmssffffff', 1e3, 20],
  ['YYMMDDhhmmss', 1e6, 12],
] as const)('a calendar time that is written as one number is read: %s', (name, unit, digits) => {
  const year = { min: Date.UTC(2024, 0, 1), max: Date.UTC(2036, 0, 1) };
  fc.assert(
    fc.property(fc.integer(year), fc.integer({ min: 0, max: 60 }), (start, ahead) => {
      const time = start + ahead * 1000;
      const text = new Date(time).toISOString().replace(/\D/g, '').padEnd(20, '0');
      const lines = [name.startsWith('YYYY') ? text.slice(0, digits) : text.slice(2, 2 + digits)];
      const reading = inferMarker(exchanges({ sent: 0, headers: headers({ reset: lines }) }), start * 1000);
      expect(reading.name).toBe(name);
      const off = ahead * 1e6 - (reading.read(lines) ?? Number.NaN);
      expect(off).toBeGreaterThanOrEqual(0);
      expect(off).toBeLessThan(unit);
    }),
  );
});

test.each([-9.5, -3.5, 1, 5.5, 5.75, 14])('a calendar time may be local, %d h from UTC', (hours) => {
  const local = (ms: number): string => new Date(ms + hours * 3600e3).toISOString().replace(/\D/g, '').slice(0, 14);
  const sent = exchanges(
    ...[0, 20, 61].map((at) => ({
      sent: at * 1e6,
      headers: headers({ reset: [local(EPOCH / 1e3 + (at < 60 ? 60_000 : 120_000))] }),
    })),
  );
  const reading = inferMarker(sent, EPOCH);
  expect(reading.name).toMatch(/^YYYYMMDDhhmmss, /);
  expect(sent.map(({ headers: { reset } }) => reading.read(reset))).toEqual([60e6, 60e6, 120e6]);
});

test('a calendar time may be that of the zone of its key', () => {
  const local = (hours: number): string =>
    new Date(EPOCH / 1e3 + 60_000 + hours * 3600e3).toISOString().replace(/\D/g, '').slice(0, 14);
  const zones = { 'key-1': -4, 'key-2': 5.5, 'key-3': 13 };
  const sent = exchanges(
    ...Object.entries(zones).map(([key, hours]) => ({ key, headers: headers({ reset: [local(hours)] }) })),
  );
  const reading = inferMarker(sent, EPOCH);
  expect(reading.name).toBe('YYYYMMDDhhmmss, in a zone of each key');
  expect(sent.map(({ key, headers: { reset } }) => reading.read(reset, key))).toEqual([60e6, 60e6, 60e6]);
});

test.each<[string, (ms: bigint) => bigint]>([
  ['NTP with a fraction of 32 bits', (ms) => ((ms + 2_208_988_800_000n) << 32n) / 1000n],
  ['a number with a time in its upper bits', (ms) => (ms - 1_420_070_400_000n) << 22n],
  ['ticks of a 250th of a second', (ms) => (ms - 1_700_000_000_000n) / 4n],
  [
    'year, day of the year and time',
    (ms) => BigInt(`2026325${new Date(Number(ms)).toISOString().slice(11, 19).replace(/\D/g, '')}`),
  ],
])('a marker in a form that is not known is not read, and not as wrong: %s', (_, form) => {
  const sent = exchanges(
    ...[0, 1, 20, 61, 62, 110, 123].map((at) => ({
      sent: at * 1e6,
      headers: headers({ reset: [`${form(BigInt(EPOCH / 1e3 + 60_000 * (1 + Math.floor(at / 60))))}`] }),
    })),
  );
  expect(inferMarker(sent, EPOCH)).toMatchObject({ unit: null, name: 'in a form that is not known' });
});

test.each([
  ['whole seconds in milliseconds', [1_000_000n, 61_000n, 121_000n], 1e6],
  ['tenths of a second in milliseconds', [1_000_000n, 61_100n, 121_000n], 1e5],
  ['milliseconds', [1_000_000n, 61_003n, 121_000n], 1e3],
] as const)('the precision of markers is that of their values: %s', (_, ahead, precision) => {
  const sent = exchanges(
    ...ahead.map((each, at) => ({
      sent: at * 60e6,
      headers: headers({ reset: [String(BigInt(EPOCH / 1e3) + each)] }),
    })),
  );
  expect(inferMarker(sent, EPOCH)).toMatchObject({ name: 'milliseconds since the epoch', unit: precision });
});

const SECONDS = { reset: [String(EPOCH / 1e6 + 60)] };
const MILLISECONDS = { reset: [String(EPOCH / 1e3 + 60_000)] };

test('answers without an accepted key do not tell the unit of those with one, however many they are', () => {
  const others = Array.from(
    { length: 20 },
    () => ({ fault: 'bad-key', status: 401, headers: headers(SECONDS) }) as const,
  );
  const sent = exchanges(...others, { headers: headers(MILLISECONDS) });
  expect(inferMarker(sent, EPOCH).name).toBe('milliseconds since the epoch');
  expect(inferMarker(sent.slice(0, 20), EPOCH).name).toBe('seconds since the epoch');
});

test('as long as a run lasts, answers in two units leave the unit open', () => {
  const sent = exchanges(...[SECONDS, SECONDS, MILLISECONDS].map((each) => ({ headers: headers(each) })));
  expect(inferMarker(sent, EPOCH, false).unit).toBe(null);
  expect(inferMarker(sent, EPOCH).name).toBe('seconds since the epoch');
  expect(inferMarker(sent.slice(0, 2), EPOCH, false).name).toBe('seconds since the epoch');
});

test.each<[string, (second: number) => string, boolean]>([
  [
    'in a form that is not known',
    (second) => String(BigInt(EPOCH / 1e3 - 1_420_070_400_000 + second * 1e3) << 22n),
    true,
  ],
  ['in two units', (second) => String(EPOCH / (second > 60 ? 1e3 : 1e6) + second * (second > 60 ? 1e3 : 1)), false],
])('the markers of reads %s are not read as those of writes', (_, form, isOver) => {
  const reads = [60, 120, 180].map((end) => ({ sent: (end - 30) * 1e6, headers: headers({ reset: [form(end)] }) }));
  const writes = [{ kind: 'write', headers: headers(SECONDS) } as const];
  const { read, write } = inferMarkers(exchanges(...reads, ...writes), EPOCH, isOver);
  expect([read.unit, write.name]).toEqual([null, 'seconds since the epoch']);
  const none = inferMarkers(exchanges({ headers: headers({ reset: [] }) }, ...writes), EPOCH, isOver);
  expect(none.read.name).toBe('seconds since the epoch');
});
