import { describe, expect, test } from 'vitest';
import { sampled, thorough } from '../../test/sampled.test-support.ts';
import { wholeProfile } from '../accuracy/virtual/draw-profile.ts';
import { drawRun, type RunKind } from '../accuracy/virtual/draw-run.ts';
import { virtualRun } from '../accuracy/virtual/virtual-run.ts';
import { conductOf } from '../reference/conduct.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Trace, TraceHeader } from '../trace/trace.ts';
import { deviationsFromSchedule } from './schedule.ts';

const KINDS: readonly RunKind[] = ['conforming', 'used by others', 'bad day', 'one deviation'];
const DRAWS = Number(process.env.SCHEDULE_DRAWS ?? 2);

test.each(sampled(KINDS, 4))('no honest run is refuted, whatever the target does (%s)', async (kind) => {
  for (let seed = 1; seed <= DRAWS; seed += 1) {
    const { trace } = await virtualRun(drawRun(kind, seed).options);
    expect({ seed, found: deviationsFromSchedule(trace) }).toEqual({ seed, found: [] });
    const other = withHeader(trace, { seed: trace.header.seed + 1 });
    expect(deviationsFromSchedule(other), `seed ${seed} held against another`).not.toEqual([]);
  }
});

describe('a recording that is not of its seed', async () => {
  const profile = wholeProfile();
  const withNames = {
    ...profile,
    operations: profile.operations.map((each, index) =>
      index === 0 ? { ...each, query: { ...each.query, tag: 'test-{{uuid}}' } } : each,
    ),
  };
  const options = { keys: 2, conduct: conductOf(null, 'limit-minus-one'), seed: 7, epoch: 1_763_713_817_000_000 };
  const { trace } = await virtualRun({ ...options, profile: withNames });

  test('is told by the order, the pauses and the names', () => {
    const found = deviationsFromSchedule(withHeader(trace, { seed: 8 })).join('\n');
    expect(found).toContain('not in the order that the seed determines');
    expect(found).toContain('the pause before request');
    expect(found).toContain('another unknown path');
    expect(found).toContain('it made up another key');
  });

  test('or by names alone, where the clock was set to another time', () => {
    expect(deviationsFromSchedule(withHeader(trace, { epoch: trace.header.epoch + 86_400e6 }))).toEqual([
      expect.stringContaining('another made-up name'),
    ]);
  });

  test('is told where experiments were left out of the header, or put in', () => {
    const { experiments } = trace.header;
    for (const changed of [experiments.slice(1), experiments.map((each) => ({ ...each, omitted: 'no reason' }))]) {
      expect(deviationsFromSchedule(withHeader(trace, { experiments: changed }))[0]).toContain('its experiments');
    }
    expect(deviationsFromSchedule(withHeader(trace, { keys: { ...trace.header.keys, full: ['key-1'] } }))[0]).toContain(
      'its experiments',
    );
  });

  test('is told where refusals were taken out, and the rest numbered anew', () => {
    for (const step of ['spend-cold', 'second-window', 'evasion', 'after-boundary']) {
      const early = trace.exchanges.findIndex((each) => each.step === step && each.status === 429);
      expect(deviationsFromSchedule(renumbered(trace, trace.exchanges.toSpliced(early, 1))), step).not.toEqual([]);
    }
    const accepted = trace.exchanges.filter(({ status }) => status !== 429);
    expect(deviationsFromSchedule(renumbered(trace, accepted)).length).toBeGreaterThan(3);
  });

  test('is told where a request was taken out of a burst whose size the answers before it decide', () => {
    for (const step of ['in-turn', 'spend-most', 'last', 'before-boundary']) {
      const sizes = Map.groupBy(trace.exchanges, (each) => `${each.experiment} ${each.step}`);
      const some = trace.exchanges.findIndex(
        (each) => each.step === step && (sizes.get(`${each.experiment} ${step}`)?.length ?? 0) > 1,
      );
      expect(some, step).toBeGreaterThan(-1);
      expect(deviationsFromSchedule(renumbered(trace, trace.exchanges.toSpliced(some, 1))), step).toEqual([
        expect.stringContaining(`requests of ${step}, not`),
      ]);
    }
  });

  thorough('is told where single requests were taken out, or all that a step has', () => {
    const where = (experiment: string, step: string) =>
      trace.exchanges.filter((each) => each.experiment.startsWith(experiment) && each.step === step);
    const singles = [
      ['authentication', 'control'],
      ['authentication', 'probe'],
      ['authentication', 'settle'],
      ['status', 'not-found-1'],
      ['status', 'forbidden-1'],
      ['polled', 'settle'],
      ['boundary', 'rest'],
      ['odd', 'malformed-body'],
      ['odd', 'headers'],
      ['odd', 'parameters'],
    ] as const;
    for (const [experiment, step] of singles) {
      const [first, second = first] = where(experiment, step);
      expect(first, step).toBeDefined();
      for (const gone of [first, second]) {
        const rest = trace.exchanges.filter((each) => each !== gone);
        expect(deviationsFromSchedule(renumbered(trace, rest)), `${experiment} ${step}`).not.toEqual([]);
      }
    }
    for (const step of ['cold', 'spend-cold', 'in-turn', 'second-window', 'after-boundary', 'scope', 'third-window']) {
      const rest = trace.exchanges.filter((each) => each.step !== step);
      expect(deviationsFromSchedule(renumbered(trace, rest)), step).not.toEqual([]);
    }
  });

  test('is told where odd requests are too few, though others were drawn from an interface description', () => {
    const described = withHeader(trace, { ruledOut: 3 });
    expect(deviationsFromSchedule(described)).toEqual([]);
    const odd = trace.exchanges.filter(({ experiment, step }) => experiment === 'odd' && step === 'headers');
    const rest = described.exchanges.filter((each) => !odd.includes(each));
    expect(deviationsFromSchedule(renumbered(described, rest))).toEqual([
      'it lacks odd requests that the seed determines',
    ]);
  });

  test('is told where forms of bad keys were taken out, save those that a key may not have', () => {
    const without = (...names: string[]) => {
      const rest = trace.exchanges.filter(({ variation }) => !names.includes(`${variation}`));
      return deviationsFromSchedule(renumbered(trace, rest));
    };
    for (const name of ['unknown', 'empty', 'token', 'joined', 'altered-last', 'lengthened', 'inner-space']) {
      expect(without(name), name).toEqual([expect.stringContaining('of the single requests of its plan')]);
    }
    expect(without('case-first', 'case-middle', 'case-last')).toEqual([]);
  });

  test('is told where it was cut off, and its experiments are said to have ended', () => {
    const bySeq = trace.exchanges.toSorted((one, other) => one.seq - other.seq);
    // The very last requests are those of "observed", whose order tells that some are missing once a few are there.
    for (const share of [0.05, 0.3, 0.6, 0.8, 0.9, 0.95, 0.97]) {
      const cut = bySeq.slice(0, Math.floor(share * bySeq.length));
      expect(deviationsFromSchedule({ ...trace, exchanges: cut }).length, `at ${share}`).toBeGreaterThan(0);
    }
  });

  test('is told where requests of no experiment were put in', () => {
    const [first] = trace.exchanges;
    if (!first) throw new Error('no request');
    const added = [...trace.exchanges, { ...first, seq: trace.exchanges.length + 1, experiment: 'mine' }];
    expect(deviationsFromSchedule({ ...trace, exchanges: added })).toEqual([expect.stringContaining('no experiment')]);
  });
});

function withHeader(trace: Trace, change: Partial<TraceHeader>): Trace {
  return { ...trace, header: { ...trace.header, ...change } };
}

function renumbered(trace: Trace, exchanges: readonly Exchange[]): Trace {
  const bySeq = exchanges.toSorted((one, other) => one.seq - other.seq);
  return { ...trace, exchanges: bySeq.map((each, index) => ({ ...each, seq: index + 1 })) };
}
