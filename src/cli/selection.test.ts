import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { selectRequirements } from './selection.ts';

const IDS = REQUIREMENTS.map(({ id }) => id);

function byTags(expression: string): readonly string[] {
  const result = selectRequirements(null, expression);
  if ('errors' in result) throw new Error(result.errors.join('\n'));
  return result.ids;
}

describe('a selection', () => {
  test('is everything without options', () => expect(selectRequirements(null, null)).toEqual({ ids: IDS }));

  test.each([
    ['HDR-1', ['HDR-1']],
    ['LIMIT-W, LIMIT-R,LIMIT-R', ['LIMIT-R', 'LIMIT-W']],
    ['VERSION-*,*-O3', ['AUTH-O3', 'VERSION-1', 'VERSION-O1']],
  ])('--only %s', (only, ids) => expect(selectRequirements(only, null)).toEqual({ ids }));

  test.each([
    ['HDR-1 or HDR-2 and HDR-3', ['HDR-1']],
    ['(HDR-1 or HDR-2) and HDR-2', ['HDR-2']],
    ['VERSION-* and not VERSION-1', ['VERSION-O1']],
    ['VERSION-*&&!VERSION-1||HDR-1', ['HDR-1', 'VERSION-O1']],
    ['NOT NOT HDR-1', ['HDR-1']],
  ])('--tags %s', (tags, ids) => expect(byTags(tags)).toEqual(ids));
});

describe('a bad selection says what is wrong', () => {
  test.each([
    ['HDR-1,,HDR-2', null, ['--only: an ID is empty. Put one comma between two IDs.']],
    ['hdr-1', null, ['--only: there is no requirement "hdr-1". Did you mean "HDR-1"? Run "list" to see all IDs.']],
    ['LIMIT', null, ['--only: there is no requirement "LIMIT". Did you mean "LIMIT-*"? Run "list" to see all IDs.']],
    ['FOO-*', null, ['--only: no requirement matches "FOO-*". Run "list" to see all IDs.']],
    [null, '', ['--tags: a requirement is missing at the end.']],
    [null, 'or HDR-1', ['--tags: a requirement is missing before "or".']],
    [null, 'HDR-1 HDR-2', ['--tags: "and" or "or" is missing before "HDR-2".']],
    [null, '(HDR-1', ['--tags: ")" is missing at the end.']],
    [null, 'HDR-1)', ['--tags: "and" or "or" is missing before ")".']],
    [null, 'not', ['--tags: a requirement is missing at the end.']],
    [null, '('.repeat(10_000), ['--tags: the expression is nested deeper than 50 levels. Simplify it.']],
    [
      'x',
      'y',
      [
        '--only: there is no requirement "x". Run "list" to see all IDs.',
        '--tags: there is no requirement "y". Run "list" to see all IDs.',
      ],
    ],
    [
      'HDR-1',
      'HDR-2',
      ['--only and --tags together select no requirement. Widen one of them; run "list" to see all IDs.'],
    ],
  ])('%s %s', (only, tags, errors) => expect(selectRequirements(only, tags)).toEqual({ errors }));
});

test('expressions obey the laws of logic', () => {
  const expression = fc.letrec<{ any: string }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<string>(...IDS, 'HDR-*', 'LIMIT-*', '*-1'),
      tie('any').map((a) => `not (${a})`),
      fc.tuple(tie('any'), fc.constantFrom('and', 'or'), tie('any')).map(([a, join, b]) => `(${a}) ${join} (${b})`),
    ),
  })).any;
  const select = (tags: string): ReadonlySet<string> => {
    const result = selectRequirements(null, tags);
    return new Set('ids' in result ? result.ids : []);
  };
  fc.assert(
    fc.property(expression, expression, (a, b) => {
      const [left, right] = [select(a), select(b)];
      expect(select(`not (${a})`)).toEqual(new Set(IDS.filter((id) => !left.has(id))));
      expect(select(`(${a}) and (${b})`)).toEqual(new Set(IDS.filter((id) => left.has(id) && right.has(id))));
      expect(select(`(${a}) or (${b})`)).toEqual(new Set(IDS.filter((id) => left.has(id) || right.has(id))));
    }),
  );
});
