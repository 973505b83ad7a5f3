import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { sampled } from '../../test/sampled.test-support.ts';
import { judgeTrace } from '../judge/judge-trace.ts';
import { conductOf } from '../reference/conduct.ts';
import { fullPlan, planHistory } from '../reference/plan-histories.test-support.ts';
import { traceOf } from '../reference/simulated-trace.test-support.ts';
import { createDecoder, encodeExchange } from '../trace/codec.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';
import { FORMATS } from './formats.ts';
import { makeReport } from './make-report.ts';
import { serialiseReport } from './report.ts';

const EPOCH = Date.UTC(2026, 2, 14, 9, 26, 53) * 1000;
const DIGEST = 'd'.repeat(64);

/** As the reader of a trace has it. */
function written(exchange: Exchange): Exchange {
  const decoded = createDecoder().decode(encodeExchange(exchange));
  if ('problem' in decoded || decoded.line.type !== 'exchange') throw new Error('no line of an exchange');
  return decoded.line;
}

function recorded(defect: string | null): Trace {
  const exchanges = planHistory(fullPlan(), { conduct: conductOf(null, defect), seed: 7, epoch: EPOCH });
  const trace = traceOf(exchanges, EPOCH, 7);
  return {
    ...trace,
    exchanges: trace.exchanges.map(written),
    header: { ...trace.header, catalogueDigest: 'c'.repeat(64) },
  };
}

interface Judged {
  readonly trace: Trace;
  readonly judgement: ReturnType<typeof judgeTrace>;
}

const judged = new Map<string | null, Judged>();

/** The same with what the judge says of it, found once. */
function judgedRun(defect: string | null): Judged {
  const known = judged.get(defect);
  if (known) return known;
  const trace = recorded(defect);
  const found = { trace, judgement: judgeTrace(trace) };
  judged.set(defect, found);
  return found;
}

const schema = JSON.parse(readFileSync(new URL('../../schema/report.schema.json', import.meta.url), 'utf8'));
const valid = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema);

describe.each(sampled([null, 'token-bucket', 'limit-plus-one'], 3))(
  'the report of a recorded run with the defect %s',
  (defect) => {
    const { trace, judgement } = judgedRun(defect);
    const report = makeReport(trace, judgement, DIGEST);

    test('follows the schema', () => {
      valid(JSON.parse(serialiseReport(report)));
      expect(valid.errors).toBeNull();
    });

    test('is the same, byte for byte, when the trace is judged again', () => {
      expect(serialiseReport(makeReport(trace, judgeTrace(trace), DIGEST))).toBe(serialiseReport(report));
    });

    test('plots each budget against what the mechanism predicts', () => {
      expect(report.budgets.map(({ key, kind }) => `${key} ${kind}`)).toEqual(
        fullPlan().map(({ key, kind }) => `${key} ${kind}`),
      );
      for (const { series, requests } of report.budgets) {
        expect(series.of).toBe(requests);
        expect(series.remaining.some((each) => each !== null)).toBe(true);
        expect(series.markers.length).toBeGreaterThan(0);
      }
    });

    test('can be rendered in every format', () => {
      for (const { render } of Object.values(FORMATS)) expect(render(report).length).toBeGreaterThan(0);
    });
  },
);

test('a conforming history shows no value outside its prediction', () => {
  const { trace, judgement } = judgedRun(null);
  for (const { series } of makeReport(trace, judgement, DIGEST).budgets) {
    series.remaining.forEach((value, index) => {
      const low = series.predictedLow[index] ?? null;
      const high = series.predictedHigh[index] ?? null;
      if (value !== null && low !== null && high !== null) expect(value >= low && value <= high).toBe(true);
    });
  }
});

test('a failure comes with its proof, and with ways to see it again', () => {
  const { trace, judgement } = judgedRun('limit-plus-one');
  const verdict = makeReport(trace, judgement, DIGEST).verdicts.find(({ id }) => id === 'LIMIT-R');
  expect(verdict?.verdict).toBe('fail');
  expect(verdict?.replay).toMatch(/^npx \S+ replay \. LIMIT-R$/);
  expect(verdict?.script).toContain('$SIZE_CHART_KEYS');
  expect(verdict?.proofs[0]?.evidence.length).toBeGreaterThan(0);
});

test('a trace without an end is reported as cut short', () => {
  const trace: Trace = { ...recorded(null), footer: null };
  const report = makeReport(trace, judgeTrace(trace), DIGEST);
  expect(report.run.outcome).toBe('cut short');
  expect(report.digests.chain).toBeNull();
  expect(report.run.seconds).toBeGreaterThan(100);
});

test('a waiver counts its days from the day of the run', () => {
  const trace = recorded(null);
  const waivers = [
    { requirement: 'LIMIT-W', part: null, reason: 'known', until: '2026-03-14' },
    { requirement: 'LIMIT-R', part: null, reason: 'known', until: '2026-03-10' },
  ];
  const waived: Trace = { ...trace, header: { ...trace.header, profile: { ...trace.header.profile, waivers } } };
  const report = makeReport(waived, judgeTrace(waived), DIGEST);
  expect(report.waivers.map(({ daysLeft, used }) => [daysLeft, used])).toEqual([
    [0, false],
    [-4, false],
  ]);
});
