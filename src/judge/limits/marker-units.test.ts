import { expect, test } from 'vitest';
import { sampled, thorough } from '../../../test/sampled.test-support.ts';
import { conductOf } from '../../reference/conduct.ts';
import { fullPlan, planHistory } from '../../reference/plan-histories.test-support.ts';
import { traceOf } from '../../reference/simulated-trace.test-support.ts';
import type { Exchange, Kind } from '../../trace/exchange.ts';
import type { Trace } from '../../trace/trace.ts';
import { cutAt } from '../shown.ts';
import { judgeLimits } from './judge-limits.ts';

const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000 + 123_456;

/** Writes the milliseconds since the epoch of a marker in another way. */
type Form = (ms: bigint) => bigint;

const BOOT = BigInt(Date.UTC(2026, 10, 20, 11, 2, 9));
const FORMS = {
  milliseconds: (ms) => ms,
  'seconds, rounded up': (ms) => (ms + 999n) / 1000n,
  microseconds: (ms) => ms * 1000n,
  'nanoseconds since the start of the machine': (ms) => (ms - BOOT) * 1_000_000n,
  'milliseconds since the start of the machine': (ms) => ms - BOOT,
  'tenths of a second, rounded up': (ms) => (ms + 99n) / 100n,
  'minutes, rounded up': (ms) => (ms + 59_999n) / 60_000n,
  ticks: (ms) => (ms + 62_135_596_800_000n) * 10_000n,
  'NTP with a fraction': (ms) => ((ms + 2_208_988_800_000n) << 32n) / 1000n,
  'a time in the upper bits': (ms) => (ms - 1_420_070_400_000n) << 22n,
  'local calendar time': (ms) => {
    const local = Number(ms) + 5.75 * 3_600_000;
    return BigInt(new Date(Math.ceil(local / 1000) * 1000).toISOString().replace(/\D/g, '').slice(0, 14));
  },
  'the day of the year': (ms) => {
    const second = new Date(Math.ceil(Number(ms) / 1000) * 1000);
    const day = Math.floor((second.getTime() - Date.UTC(second.getUTCFullYear(), 0, 1)) / 86_400_000) + 1;
    return BigInt(`${second.getUTCFullYear()}${day}${second.toISOString().slice(11, 19).replace(/\D/g, '')}`);
  },
} as const satisfies Record<string, Form>;

/** Each form for reads, beside itself and two others for writes. */
const NAMES = Object.keys(FORMS) as (keyof typeof FORMS)[];
const WAYS: readonly Readonly<Record<Kind, keyof typeof FORMS>>[] = NAMES.flatMap((read, at) =>
  [0, 1, 4].map((step) => ({ read, write: NAMES[(at + step) % NAMES.length] ?? read })),
);

function traceIn(
  way: Readonly<Record<Kind, keyof typeof FORMS>>,
  variant: string | null,
  defect: string | null,
): Trace {
  const history = planHistory(fullPlan(), { conduct: conductOf(variant, defect), seed: 3, epoch: EPOCH });
  const trace = traceOf(history, EPOCH, 3);
  const exchanges = trace.exchanges.map((exchange) => {
    const { headers, kind } = exchange;
    const reset = headers.reset.map((text) => `${FORMS[way[kind]](BigInt(text))}`);
    return { ...exchange, headers: { ...headers, reset } };
  });
  return { ...trace, exchanges };
}

function failed(trace: Trace): readonly string[] {
  return judgeLimits(trace).opinions.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : []));
}

test.each(sampled(WAYS, 36))('each kind may have a unit and a zero of its own: %j', (way) => {
  for (const variant of ['grid-clock-ms', 'anchored-ms', 'counter-ms'])
    expect({ variant, failed: failed(traceIn(way, variant, null)) }).toEqual({ variant, failed: [] });
});

thorough(
  'answers without an accepted key may have another unit than the rest, at the end and while the run lasts',
  () => {
    for (const variant of ['anchored-ms', 'counter-ms']) {
      const trace = traceIn({ read: 'milliseconds', write: 'milliseconds' }, variant, null);
      const [first] = trace.exchanges;
      // More of them than all others within the first seconds.
      const rejected = Array.from({ length: first ? 800 : 0 }, (_, index): Exchange[] => {
        const sent = index * 2_000;
        const reset = [String(Math.ceil((EPOCH + sent) / 1e6) + 60)];
        return first
          ? [
              {
                ...first,
                fault: 'bad-key',
                status: 401,
                sent,
                answered: sent + 500,
                headers: { ...first.headers, reset },
              },
            ]
          : [];
      }).flat();
      const both = [...rejected, ...rejected.map((each) => ({ ...each, kind: 'write' as const }))];
      const exchanges = [...both, ...trace.exchanges].sort((one, other) => one.sent - other.sent);
      const mixed = { ...trace, exchanges: exchanges.map((each, index) => ({ ...each, seq: index + 1 })) };
      expect(failed(mixed)).toEqual([]);
      const moments = [1, 2, 3, 4, 6, 9].map((seconds) => seconds * 1e6);
      expect(moments.flatMap((moment) => failed(cutAt(mixed, moment)))).toEqual([]);
    }
  },
);

const WRONG = [
  ['marker-goes-back', 'HDR-8'],
  ['frozen-marker', 'HDR-7'],
  ['window-of-57-seconds', 'LIMIT-WINDOW'],
] as const;

thorough.each(WRONG)('what is wrong shows in any of them: %s', (defect, id) => {
  for (const way of sampled(WAYS.slice(1, 3), 2)) expect(failed(traceIn(way, 'grid-clock-ms', defect))).toContain(id);
});
