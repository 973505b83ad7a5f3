import { describe, expect, test } from 'vitest';
import { extentOf } from './extent.ts';
import { joinLogs, type MadeInstance, madeLog, readLog } from './records.test-support.ts';
import { sampleSpec } from './spec.test-support.ts';

const spec = sampleSpec({ scenario: 'contention' });

function instance(number: number, of: number, rest: Partial<MadeInstance> = {}) {
  const made = { spec, instance: number, instances: of, ...rest };
  return { name: `pod-${number + 1}`, lines: [...madeLog(made)] };
}

describe('joined records', () => {
  test('four instances give the same history as one', () => {
    const one = joinLogs([instance(0, 1)], { sameHost: true });
    const four = joinLogs(
      [0, 1, 2, 3].map((i) => instance(i, 4)),
      { sameHost: true },
    );
    const gist = (load: typeof one) =>
      load.exchanges.map(({ key, kind, operation, step }) => `${key} ${kind} ${operation} ${step}`).sort();
    expect(gist(four)).toEqual(gist(one));
    expect(four.accounting).toEqual({
      due: extentOf(spec).requests,
      sent: extentOf(spec).requests,
      recorded: extentOf(spec).requests,
      dropped: 0,
      unanswered: 0,
    });
    expect(four.defects).toEqual([]);
  });

  test('exchanges are numbered in the order of sending, and keys appear as aliases', () => {
    const { exchanges } = joinLogs(
      [0, 1].map((i) => instance(i, 2)),
      { sameHost: true },
    );
    for (const [i, exchange] of exchanges.entries()) {
      expect(exchange.seq).toBe(i + 1);
      expect(exchange.sent).toBeGreaterThanOrEqual(exchanges[i - 1]?.sent ?? 0);
      expect(exchange.key).toMatch(/^key-[12]$/);
    }
  });

  test.each([
    ['the last of three is missing', [0, 1], 3, 'the part of the run from 66.7 % to 100 % is missing'],
    ['the first of three is missing', [1, 2], 3, 'the part of the run from 0 % to 33.3 % is missing'],
    ['one is there twice', [0, 1, 1], 2, 'pod-2 repeats a part of the run that another file already has'],
  ])('%s', (_, numbers, of, message) => {
    const instances = numbers.map((i) => instance(i, of));
    expect(() => joinLogs(instances, { sameHost: true })).toThrow(message);
  });

  test('a pod that Kubernetes started again shows', () => {
    const twice = function* () {
      yield* madeLog({ spec, instance: 0, instances: 1, answers: 3 });
      yield* madeLog({ spec, instance: 0, instances: 1 });
    };
    const log = { name: 'pod-1', lines: [...twice()] };
    expect(() => joinLogs([log], { sameHost: true })).toThrow('of one twice');
  });

  test('records of another run are refused', () => {
    const made = { spec: { ...spec, run: 'other' }, instance: 1, instances: 2 };
    const other = { name: 'other', lines: [...madeLog(made)] };
    const ours = instance(0, 2);
    expect(() => joinLogs([ours, other], { sameHost: true })).toThrow('do not belong to the same run (other and test)');
  });

  test('what k6 announced and never heard of is unanswered, not lost', () => {
    const killed = instance(0, 1, { answers: 10 });
    const { accounting, exchanges, unanswered } = joinLogs([killed], { sameHost: true });
    expect(exchanges).toHaveLength(10);
    expect(accounting).toMatchObject({ sent: accounting.due, recorded: 10, unanswered: accounting.due - 10 });
    expect(new Set([...exchanges, ...unanswered].map(({ seq }) => seq)).size).toBe(accounting.due);
  });

  test('nothing to merge', () => {
    expect(() => joinLogs([], { sameHost: true })).toThrow('there is nothing to merge');
  });
});

describe('clocks', () => {
  test.each([-45_000, -30, 0, 250, 3_600_000])(
    'an instance whose clock is %i ms ahead is set right by the Date of the answers',
    (ahead) => {
      const instances = [instance(0, 2), instance(1, 2, { ahead })];
      const joined = joinLogs(instances, { sameHost: false });
      const clock = joined.instances[1]?.clock;
      expect(Math.abs((clock?.offset ?? 0) - ahead)).toBeLessThanOrEqual((clock?.uncertainty ?? 0) + 1);
      // Two requests of one burst left at the same moment: their intervals must still meet.
      const burst = joined.exchanges.filter(
        ({ key, kind, step }) => key === 'key-1' && kind === 'read' && step === 'burst',
      );
      const first = burst.slice(0, burst.length / 3);
      const latestStart = Math.max(...first.map(({ sent }) => sent));
      const earliestEnd = Math.min(...first.map(({ answered }) => answered ?? 0));
      expect(latestStart).toBeLessThanOrEqual(earliestEnd);
    },
  );
});

test.each([
  [0, 999],
  [999, 0],
  [400, 900],
])('backends that keep their Date for a second, %i and %i ms old, make no offset wrong', (one, other) => {
  for (const ahead of [0, 250, -45_000]) {
    const instances = [instance(0, 2, { stale: one }), instance(1, 2, { ahead, stale: other })];
    const clock = joinLogs(instances, { sameHost: false }).instances[1]?.clock;
    expect(Math.abs((clock?.offset ?? 0) - ahead)).toBeLessThanOrEqual((clock?.uncertainty ?? 0) + 1);
  }
});

describe('the records of an instance', () => {
  test('a file without records says what to give', () => {
    const log = function* () {
      yield 'some other log';
    };
    expect(() => readLog('pod-1', log())).toThrow('pod-1 contains no records of a load run');
  });

  test('k6 stopped before it began', () => {
    const log = function* () {
      yield `=|${JSON.stringify(spec)}`;
    };
    expect(() => readLog('pod-1', log())).toThrow('ends before its first request');
  });

  test('a connection that is refused once there was another may have been the second try of a request that was sent', () => {
    const log = function* () {
      yield `=|${JSON.stringify(spec)}`;
      yield '~|0|1795000000000|0';
      yield '>|0|4|1795000000000|10';
      yield 'x|0|10|20|1212|dial: connection refused';
      yield '<|1|10|20|200|100|99|1795000060|-|-';
      yield 'x|2|10|20|1212|dial: connection refused';
      yield 'x|3|10|20|1200|read: no route to host';
    };
    const answers = readLog('pod-1', log()).answersBefore(100);
    expect(answers.map(({ failure }) => failure)).toEqual(['refused', null, 'unknown', 'unknown']);
  });

  test('waves are kept of requests that were due together, and none of the open model, where each is due by itself', () => {
    const open = function* () {
      yield `=|${JSON.stringify(sampleSpec({ scenario: 'sustained' }))}`;
      yield '~|0|1795000000000|0';
      yield '>|0|1|1795000000000|10';
      yield '>|1|1|1795000000000|20';
    };
    expect(readLog('pod-1', madeLog({ spec, instance: 0, instances: 1 })).records.waves.length).toBeGreaterThan(0);
    const { waves, sent } = readLog('pod-1', open()).records;
    expect({ waves, sent }).toEqual({ waves: [], sent: 2 });
  });

  test.each([
    ['one twice', [0, 0]],
    ['two', [0, 1]],
  ])('a file with the records of %s is refused as that', (_, files) => {
    const lines = files.flatMap((each) => [...madeLog({ spec, instance: each, instances: 2 })]);
    expect(() => readLog('both.raw', lines)).toThrow('both.raw has the records of several generators, or of one twice');
  });

  test('an exception of the script is a defect of the run', () => {
    const log = function* () {
      yield* madeLog({ spec, instance: 0, instances: 1 });
      yield '!|3|%boom%20at%20line%203';
    };
    const { defects } = joinLogs([{ name: 'pod-1', lines: [...log()] }], { sameHost: true });
    expect(defects).toEqual(['pod-1: the script failed: boom at line 3']);
  });

  test('an answer that nobody announced is a defect of the run', () => {
    const log = function* () {
      yield* madeLog({ spec, instance: 0, instances: 1 });
      yield '<|0|1|2|200|100|99|1795000060|-|-';
    };
    const { defects } = joinLogs([{ name: 'pod-1', lines: [...log()] }], { sameHost: true });
    expect(defects).toEqual(['pod-1: 1 answers were recorded for requests that were never announced']);
  });
});
