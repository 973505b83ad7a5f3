import { describe, expect, test } from 'vitest';
import { thorough } from '../../../test/sampled.test-support.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { seededRandom } from '../../random/random.ts';
import { behaviourOf } from '../../reference/behaviour.ts';
import { type Conduct, conductOf } from '../../reference/conduct.ts';
import { fullPlan, planHistory } from '../../reference/plan-histories.test-support.ts';
import type { SimulatedRequest } from '../../reference/simulate.test-support.ts';
import { traceOf } from '../../reference/simulated-trace.test-support.ts';
import { variantNamed } from '../../reference/variants.ts';
import type { Kind } from '../../trace/exchange.ts';
import type { Opinion } from '../verdict.ts';
import { judgeLimits } from './judge-limits.ts';

const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000 + 123_456;

/** The reads of two keys: the run uses one all the time, and spends the other at once and then leaves it alone. */
const READS = fullPlan().filter(({ key, kind }) => kind === 'read' && ['key-1', 'key-2'].includes(key));

/** The verdict on a run in which others read with these keys, so many times a second from a time on (s). */
function judged(conduct: Conduct, seed: number, others: readonly string[], rate: number, from: number) {
  const random = seededRandom(seed);
  const epoch = EPOCH + seed * 7_331_117;
  const hidden = others.flatMap((key) => {
    const times: number[] = [];
    const pause = () => -Math.log(1 - random()) / rate;
    for (let at = from; at < 140; at += pause()) times.push(at);
    return times.map((at) => ({ key, kind: 'read' as const, at: Math.round(at * 1e6), connection: -1 }));
  });
  const exchanges = planHistory(READS, { conduct, seed, epoch }, hidden);
  return judgeLimits(traceOf(exchanges, epoch, seed)).opinions;
}

const failed = (opinions: readonly Opinion[]): readonly string[] =>
  opinions.filter(({ verdict }) => verdict === 'fail').map(({ id, summary }) => `${id}: ${summary}`);

test('use before the run is said in plain words, and fails nothing', () => {
  const used = Array.from({ length: 30 }, () => ({ key: 'key-2', kind: 'read' as const, at: -20e6, connection: -1 }));
  const exchanges = planHistory(READS, { conduct: conductOf('anchored', null), seed: 5, epoch: EPOCH }, used);
  const { opinions } = judgeLimits(traceOf(exchanges, EPOCH, 5));
  expect(failed(opinions)).toEqual([]);
  expect(opinions.find(({ id }) => id === 'LIMIT-R')?.notes).toEqual([
    expect.stringMatching(/^Somebody used key-2 for reads before the run/),
  ]);
});

describe('others on a key of the run are told from a deployment that counts wrongly', () => {
  thorough('anchored-late-read: nobody fails', () => {
    expect(failed(judged(conductOf('anchored-late-read', null), 22, ['key-2'], 1, 40))).toEqual([]);
  });

  test('grid-clock: nobody fails, and they are named, with the requests between which they came', () => {
    const opinions = judged(conductOf('grid-clock', null), 0, ['key-2'], 1, 40);
    expect(failed(opinions)).toEqual([]);
    const history = opinions.find(({ id }) => id === 'LIMIT-HISTORY');
    expect(history?.verdict).toBe('inconclusive');
    expect(history?.summary).toMatch(
      /^Others seem to have used the reads of key-2 .*: at least \d+ requests of theirs, the first before #\d+/,
    );
  });

  thorough('a GET that is counted twice on every key is a failure', () => {
    expect(failed(judged(conductOf('grid-clock', 'get-counted-twice'), 4, [], 1, 0)).join()).toContain('LIMIT-R');
  });

  // At one half, others who send bursts explain two keys as well.
  thorough.each([0.9])('so is a request that is counted twice, at random (%d of them)', (share) => {
    const twice = (): Conduct => {
      const random = seededRandom(9);
      return (times) => {
        const conforming = conductOf('grid-clock', null)(times);
        return { ...conforming, weight: () => (random() < share ? 2 : 1) };
      };
    };
    expect(failed(judged(twice(), 3, [], 1, 0)).join()).toContain('LIMIT-R');
  });
});

describe('others who come in mid-run, on one key of four', () => {
  /** Evenly, or a dozen at once about every twenty seconds. */
  function fromMidRun(variant: string, key: string, kind: Kind, manner: 'evenly' | 'in bursts', seed: number) {
    const random = seededRandom(seed);
    const epoch = EPOCH + seed * 7_331_117;
    const hidden: SimulatedRequest[] = [];
    for (let at = 70; at < 150; at += manner === 'evenly' ? 1 : 10 + 20 * random()) {
      for (let sent = 0; sent < (manner === 'evenly' ? 1 : 12); sent++) {
        hidden.push({ key, kind, at: Math.round(at * 1e6) + sent * 3000, connection: -1 });
      }
    }
    const exchanges = planHistory(fullPlan(), { conduct: conductOf(variant, null), seed, epoch }, hidden);
    return judgeLimits(traceOf(exchanges, epoch, seed)).opinions;
  }

  const DISTURBED = [
    ['grid-clock', 'key-4', 'read', 'evenly', 1],
    ['anchored-time-left-ms', 'key-3', 'write', 'evenly', 2],
    ['grid-late-read', 'key-4', 'read', 'in bursts', 3],
    ['log-bypassed', 'key-3', 'write', 'in bursts', 4],
    ['counter-process', 'key-3', 'write', 'evenly', 5],
  ] as const;

  thorough.each(DISTURBED)(
    '%s, %s, %ss %s: nobody fails, and the budgets that are in order tell it',
    (variant, key, kind, manner, seed) => {
      const opinions = fromMidRun(variant, key, kind, manner, seed);
      expect(failed(opinions)).toEqual([]);
      const history = opinions.find(({ id }) => id === 'LIMIT-HISTORY');
      expect(history?.verdict).toBe('inconclusive');
      expect(history?.summary).toMatch(/[Oo]thers/);
    },
  );

  const COUNTED_WRONGLY = [
    ['limit-minus-one', 'LIMIT-R'],
    ['shared-kinds', 'LIMIT-RW'],
  ] as const;

  thorough.each(COUNTED_WRONGLY)('%s is no use by others: %s fails', (defect, id) => {
    const exchanges = planHistory(fullPlan(), { conduct: conductOf(null, defect), seed: 3, epoch: EPOCH });
    expect(failed(judgeLimits(traceOf(exchanges, EPOCH, 3)).opinions).join()).toContain(id);
  });

  thorough(
    'some requests that cost two are told: others would have had to come together with requests of the run each time',
    () => {
      const exchanges = planHistory(fullPlan(), {
        conduct: conductOf(null, 'some-counted-twice'),
        seed: 3,
        epoch: EPOCH,
      });
      const { opinions } = judgeLimits(traceOf(exchanges, EPOCH, 3));
      expect(failed(opinions).join()).toMatch(/LIMIT-R: About one in \d+ accepted reads is counted twice/);
    },
  );

  thorough(
    'what only one key asked for is taken thrice off its budget, in one minute: that is no pass, and others explain it as well',
    () => {
      const conduct: Conduct = (times) => ({
        ...conductOf('grid-clock', null)(times),
        weight: (arrival) => (arrival.due === 404 && arrival.kind === 'read' ? 3 : 1),
      });
      const exchanges = planHistory(fullPlan(), { conduct, seed: 3, epoch: EPOCH });
      const { opinions } = judgeLimits(traceOf(exchanges, EPOCH, 3));
      expect(opinions.find(({ id }) => id === 'LIMIT-R')?.verdict).toBe('inconclusive');
    },
  );
});

describe('a limit that is lower on every key is no use by others', () => {
  const lower = (limit: number, says: boolean): Conduct => {
    const made = (kind: Kind): Deviation => {
      const parameters = { kind, limit, limitHeader: limit, remainingFrom: limit, from: 'always' } as const;
      return { operator: 'other-limit', parameters };
    };
    const choices = variantNamed('grid-clock').options;
    return (times) => {
      const behaviour = behaviourOf({ choices, deviations: [made('read'), made('write')] }, times);
      const none = { limit: [], remaining: [], reset: [], other: {} };
      return says ? behaviour : { ...behaviour, headers: () => none };
    };
  };

  thorough.each([
    [10, false],
    [50, true],
  ] as const)('%i reads a minute, told by headers: %s', (limit, says) => {
    const opinions = judged(lower(limit, says), 3, [], 1, 0);
    const verdict = opinions.find(({ id }) => id === 'LIMIT-R')?.verdict;
    // If no header shows it, others may have used up two keys at once.
    expect(verdict).toBe(says ? 'fail' : 'inconclusive');
    const named = `LIMIT-R: The number of reads in a window is limited to ${limit}, not 100`;
    expect(failed(opinions).join()).toContain(says ? named : '');
  });

  test('no limit and no headers: LIMIT-R fails, and bursts are not said to be counted', () => {
    const opinions = judged(lower(1e9, false), 3, [], 1, 0);
    expect(failed(opinions).join()).toContain('LIMIT-R: The number of reads is not limited');
    expect(opinions.find(({ id }) => id === 'LIMIT-ATOMIC')?.verdict).toBe('inconclusive');
  });
});
