import fc from 'fast-check';
import { expect, test } from 'vitest';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { waiverStub } from '../report/waiver-stub.ts';
import { MINIMAL } from './profile.test-support.ts';
import { formatProfileError, readProfile } from './read-profile.ts';
import { loadWaivers, readWaivers } from './read-waivers.ts';

const OTHERS = [{ requirement: 'HDR-2', part: null, reason: 'known', until: '2027-01-31' }];

/** Messages without the name of the file; the waivers where there is none. */
function read(source: string, file = 'waivers.yaml') {
  const keys = { full: ['a-key-of-the-vendor'], restricted: null, revoked: null };
  const result = readWaivers(source, { file, others: OTHERS, keys });
  return 'errors' in result
    ? result.errors.map((each) => formatProfileError(each).slice(file.length + 1))
    : result.waivers;
}

const WAIVER = { requirement: 'HDR-1', part: '404', reason: 'known', until: '2027-01-31' };

test.each([
  ['a list', '- { requirement: HDR-1, part: 404, reason: known, until: 2027-01-31 }', 'w.yaml'],
  ['a group', 'waivers: [{ requirement: HDR-1, part: "404", reason: known, until: 2027-01-31 }]', 'w.yaml'],
  ['a list in JSON', JSON.stringify([WAIVER]), 'w.json'],
  ['a group in JSON', JSON.stringify({ $schema: 'waivers.schema.json', waivers: [WAIVER] }), 'w.JSON'],
])('%s is read', (_, source, file) => {
  expect(read(source, file)).toEqual([WAIVER]);
});

test('a file of no waivers is one', () => {
  expect(read('[]')).toEqual([]);
  expect(read('waivers: []')).toEqual([]);
});

test.each<[string, string, string[]]>([
  ['nothing', '# none yet', ['1:1: the file is empty. Write [] to waive nothing.']],
  [
    'a word',
    'HDR-1',
    [
      '1:1: the file must be a list of waivers, or a group with the field "waivers", not "HDR-1". Start each waiver with "- ".',
    ],
  ],
  [
    'a name misspelt at the top',
    'waiver: []',
    [
      '1:1: the file lacks the field "waivers". Add it.',
      '1:1: waiver is not a known field. Did you mean "waivers"? Fields allowed here: waivers.',
    ],
  ],
  [
    'several faults of a list at once',
    `- { requirement: HDR-11, reason: known, until: 2027-01-31 }
- requirement: AUTH-O1
  reason: known
  until: 2027-02-31
- { requirement: HDR-1, reasons: known, until: 2027-01-31 }`,
    [
      '1:18: [0].requirement is not the ID of a requirement ("HDR-11"). Did you mean "HDR-1"? Run "list" to see all IDs.',
      '2:16: [1].requirement names AUTH-O1, which is observed and never fails. Remove the waiver.',
      '4:10: [1].until must be a calendar date, not "2027-02-31". Write it like 2027-01-31.',
      '5:3: [2] lacks the field "reason". Why the deviation is known and accepted.',
      '5:25: [2].reasons is not a known field. Did you mean "reason"? Fields allowed here: requirement, part, reason, until.',
    ],
  ],
  [
    'the same in a group',
    `waivers:
  - { requirement: HDR-1, reason: "", until: 2027-01-31 }`,
    ['2:35: waivers[0].reason must not be empty. Write a value, or remove the field.'],
  ],
  [
    'one waived twice',
    `- { requirement: HDR-1, part: 404, reason: a, until: 2027-01-31 }
- { requirement: HDR-1, part: "404", reason: b, until: 2027-01-31 }`,
    ['2:18: [1].requirement waives HDR-1 404 a second time. Keep one of the waivers.'],
  ],
  [
    'one that the profile waives',
    '- { requirement: HDR-2, reason: b, until: 2027-01-31 }',
    ['1:18: [0].requirement waives HDR-2, which the profile already waives. Keep one of the waivers.'],
  ],
  [
    'a key in a reason',
    '- { requirement: HDR-1, reason: seen with a-key-of-the-vendor, until: 2027-01-31 }',
    [
      '1:33: [0].reason contains an API key, or a part of one. Remove it: keys come from the environment or .env only. If the key is only by chance a word of the profile, use another key.',
    ],
  ],
  ['a tab', 'waivers:\n\t- requirement: HDR-1', ['2:1: a tab is used for indentation. Indent with spaces.']],
])('of %s it is said where and how', (_, source, messages) => {
  expect(read(source)).toEqual(messages);
});

test.each(['error', 'warning'] as const)('one that has ended is told as an error or as a warning: %s', (severity) => {
  const ended = { before: '2027-01-31', severity };
  const past = '- { requirement: HDR-1, reason: known, until: 2027-01-30 }';
  const result = readWaivers(`${past}\n- { requirement: HDR-3, reason: known, until: 2027-01-31 }`, {
    file: 'w.yaml',
    others: [],
    ended,
  });
  const found = 'errors' in result ? { error: result.errors } : { warning: result.warnings };
  expect(found[severity]?.map(formatProfileError)).toEqual([
    'w.yaml:1:47: [0].until is past (2027-01-30), so the waiver no longer applies. Fix the deployment, or renew the waiver.',
  ]);
  const profile = readProfile(
    `${MINIMAL}colour: red\nwaivers: [{ requirement: HDR-1, reason: a, until: 2020-01-01 }]`,
    {
      file: 'p.yaml',
      ended: { before: '2027-01-31', severity: 'error' },
    },
  );
  expect('errors' in profile && profile.errors.map(({ path }) => path)).toEqual(['colour', 'waivers[0].until']);
});

test('a part that the profile does not waive may be waived beside the parts that it does', () => {
  expect(read('- { requirement: HDR-2, part: 404, reason: b, until: 2027-01-31 }')).toHaveLength(1);
});

test('a file that is not there', () => {
  expect(loadWaivers('/nowhere/waivers.yaml', { others: [] })).toMatchObject({
    errors: [{ problem: 'there is no such file', remedy: 'Give its path with --waivers.' }],
  });
});

test('what the report offers is read as it is, whatever a part is called', () => {
  const ids = REQUIREMENTS.filter(({ level }) => level !== 'observed').map(({ id }) => id);
  fc.assert(
    fc.property(fc.constantFrom(...ids), fc.string({ maxLength: 20 }), (id, name) => {
      const part = (verdict: 'fail' | 'pass', called: string) => ({
        name: called,
        verdict,
        summary: '',
        witnesses: 1,
        evidence: [],
      });
      const stub = waiverStub(
        { id, parts: [part('fail', name), part('pass', `${name}-`)] },
        '2026-03-14T09:26:53.000Z',
      );
      const result = readWaivers(stub, { file: 'waivers.yaml', others: [] });
      expect(result).toEqual({
        waivers: [{ requirement: id, part: name, reason: '…', until: '2026-06-12' }],
        warnings: [],
      });
    }),
  );
});

test('any text either gives waivers or says what is wrong with it', () => {
  const field = fc.constantFrom('requirement', 'part', 'reason', 'until', 'waivers', '__proto__', 'x');
  const value = fc.oneof(
    fc.constantFrom(
      'HDR-1',
      'LIMIT-R',
      'AUTH-O1',
      '2099-01-31',
      '2027-02-30',
      '404',
      '[]',
      '{}',
      '~',
      '*a',
      '&a 1',
      '!!js x',
    ),
    fc.string({ maxLength: 20 }),
    fc.json({ maxDepth: 2 }),
  );
  const entry = fc.array(fc.tuple(field, value), { maxLength: 5 }).map((pairs) => {
    return `- { ${pairs.map(([name, written]) => `${name}: ${written}`).join(', ')} }`;
  });
  const good = fc.constant('- { requirement: HDR-1, reason: known, until: 2099-01-31 }');
  const file = fc.oneof(
    good,
    fc.array(fc.oneof(entry, good), { maxLength: 4 }).map((lines) => lines.join('\n')),
    fc.string(),
    fc.json(),
  );
  fc.assert(
    fc.property(file, fc.constantFrom('w.yaml', 'w.json'), (source, name) => {
      const result = readWaivers(source, { file: name, others: [] });
      if ('errors' in result) {
        expect(result.errors.filter(({ problem }) => problem !== '').length).toBeGreaterThan(0);
        return;
      }
      for (const { requirement, until } of result.waivers) {
        expect(REQUIREMENTS.some(({ id, level }) => id === requirement && level !== 'observed')).toBe(true);
        expect(until).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      }
    }),
    { numRuns: 1000 },
  );
});

test('a day that there is not is told once, and is not past', () => {
  const ended = { before: '2027-01-31', severity: 'error' as const };
  const result = readWaivers('- { requirement: HDR-1, reason: known, until: 2026-02-30 }', {
    file: 'w.yaml',
    others: [],
    ended,
  });
  expect('errors' in result && result.errors.map(formatProfileError)).toEqual([
    expect.stringContaining('until must be a calendar date'),
  ]);
});
