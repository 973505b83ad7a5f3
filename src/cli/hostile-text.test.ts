import { describe, expect, test } from 'vitest';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { attestationText, verificationText } from '../certificate/wording.ts';
import { makePlan } from '../plan/plan.ts';
import { compareReports, comparisonText } from '../report/compare.ts';
import type { Report } from '../report/report.ts';
import { sampleReport } from '../report/sample-report.test-support.ts';
import { terminalReport } from '../report/terminal.ts';
import { HEADER } from '../trace/trace.test-support.ts';
import { explain } from './explain.ts';
import { planText } from './plan-text.ts';

/** Clears the screen, sets the window's title, turns the text round, goes back over what was printed. */
const HOSTILE = '\u001b[2J\u001b]0;mine\u0007\u202e\u009b1A\r\u0008';

/** Words that the report's own code decides by, and not by what a target or a profile says. */
const WORDS = new Set([
  'verdict',
  'level',
  'overall',
  'id',
  'ids',
  'kind',
  'outcome',
  'requirement',
  'selection',
  'suppressedBy',
  'format',
  'command',
  'until',
]);

/** The same value with the characters in every text that somebody else may have written. */
function hostile<Value>(value: Value, name = ''): Value {
  if (typeof value === 'string') return (WORDS.has(name) ? value : `${value}${HOSTILE}`) as Value;
  if (Array.isArray(value)) return value.map((each) => hostile(each, name)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hostile(each, key)])) as Value;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for.
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const sample: Report = sampleReport({
  'HDR-1': { verdict: 'fail' },
  'HDR-2': { verdict: 'waived' },
  'LIMIT-R': { verdict: 'fail' },
  'LIMIT-W': { verdict: 'inconclusive' },
  'STATUS-400': { verdict: 'not tested' },
});
const report = hostile(sample);

describe('no text of a target, a profile, a trace or a report moves the cursor of a terminal', () => {
  const texts: Readonly<Record<string, () => string>> = {
    summary: () => terminalReport(report),
    comparison: () => comparisonText(sample, report, compareReports(sample, report)),
    'comparison, the other way': () => comparisonText(report, sample, compareReports(report, sample)),
    explanation: () => REQUIREMENTS.map(({ id }) => explain(report, id)).join(''),
    plan: () => {
      const header = { ...hostile(HEADER), attempts: 2 };
      const plan = makePlan({ ...HEADER, selection: new Set(REQUIREMENTS.map(({ id }) => id)), mode: 'certify' });
      return planText({ ...plan, experiments: hostile(plan.experiments) }, header);
    },
    verification: () =>
      verificationText({
        outcome: 'verified',
        exitCode: 0,
        result: 'PASSED',
        standing: 'self-attested',
        subject: hostile({ target: sample.target, started: sample.run.started }),
        checks: [],
        tested: [`labels, read: get${HOSTILE}`],
        limits: [],
      }),
    attestation: () =>
      attestationText(
        { result: 'WARNED', shortcomings: [HOSTILE], files: [`/tmp/${HOSTILE}`], fingerprint: '' },
        {
          identity: HOSTILE,
          allowedSigners: HOSTILE,
          publicKey: HOSTILE,
          missing: [{ file: HOSTILE, text: HOSTILE }],
        },
      ),
  };

  test.each(Object.entries(texts))('%s', (_, text) => {
    expect(text()).not.toMatch(CONTROLS);
  });
});
