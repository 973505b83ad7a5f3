import { describe, expect, test } from 'vitest';
import { type Outcome, rate, type Subject } from './subject.ts';
import { accuracyTable, summarise } from './table.ts';

const SUBJECT: Subject = {
  name: 'limit-plus-one',
  description: 'lets one more through',
  kind: 'defective',
  variant: null,
  defect: 'limit-plus-one',
  conditions: { name: 'calm', jitter: null, resets: 0, skew: 0 },
  must: ['LIMIT-R'],
  may: ['LIMIT-HISTORY'],
  observable: true,
};

function outcome(failed: string[], subject: Partial<Subject> = {}, rest: Partial<Outcome> = {}): Outcome {
  return {
    subject: { ...SUBJECT, ...subject },
    overall: 'does not conform',
    verdicts: {},
    failed,
    inconclusive: [],
    proofs: failed.map(() => 2),
    diagnoses: [],
    requests: 1,
    seconds: 1,
    repeatable: true,
    error: null,
    ...rest,
  };
}

const conforming = { kind: 'conforming', must: [], may: [] } as const;

describe('a defect', () => {
  test.each([
    [['LIMIT-R'], {}, 'found'],
    [['LIMIT-R', 'LIMIT-HISTORY'], {}, 'found'],
    [['LIMIT-HISTORY'], {}, 'found under another name'],
    [['LIMIT-R', 'HDR-8'], {}, 'false failure'],
    [[], {}, 'missed'],
    [[], { observable: 'needs a second client' }, 'not observable'],
  ] as const)('that shows as %j is rated', (failed, subject, rating) => {
    expect(rate(outcome([...failed], subject))).toBe(rating);
  });
});

describe('a conforming server', () => {
  test.each([
    [[], [], 'conforms'],
    [['HDR-7'], [], 'false failure'],
    [[], ['LIMIT-WINDOW'], 'undecided'],
  ] as const)('that shows as %j, %j is rated', (failed, inconclusive, rating) => {
    expect(rate(outcome([...failed], conforming, { inconclusive: [...inconclusive] }))).toBe(rating);
  });
});

test('a run that broke off decides nothing', () => {
  expect(rate(outcome([], {}, { error: 'no port' }))).toBe('undecided');
});

test('the table counts found, missed and false apart, and shows each subject once', () => {
  const accuracy = summarise([
    outcome(['LIMIT-R']),
    outcome([], { name: 'unseen' }),
    outcome(['LIMIT-R', 'HDR-8'], { name: 'more' }),
    outcome([], { ...conforming, name: 'grid' }),
    outcome(['HDR-7'], { ...conforming, name: 'log | odd' }, { repeatable: false }),
  ]);
  expect(accuracy).toMatchObject({
    conforming: 2,
    falseFailures: 1,
    wrongBeside: 1,
    defects: 3,
    observable: 3,
    found: 1,
    repeatable: 4,
    longestProof: 2,
  });
  const table = accuracyTable(accuracy, 'Measured.');
  expect(table).toContain('- LIMIT-R: limit-plus-one\n');
  for (const name of ['unseen', 'log \\| odd']) expect(table.split(`| ${name} |`)).toHaveLength(2);
  expect(table).toContain('1 variants conform.');
  expect(table).toContain('| missed |');
});
