import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalogueDigest, isRequirementId, requirement } from './catalogue.ts';
import { COVERAGE } from './coverage.ts';
import { REQUIREMENTS } from './requirements.ts';

test('every ID is stated once', () => {
  const ids = REQUIREMENTS.map((each) => each.id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('dependencies name requirements that can fail, and never run in a circle', () => {
  const visit = (id: string, path: readonly string[]): void => {
    expect(path).not.toContain(id);
    expect(isRequirementId(id)).toBe(true);
    if (!isRequirementId(id)) return;
    if (path.length > 0) expect(requirement(id).level).not.toBe('observed');
    for (const next of requirement(id).dependsOn) visit(next, [...path, id]);
  };
  for (const { id } of REQUIREMENTS) visit(id, []);
});

test('what is observed can neither fail nor block a certificate', () => {
  for (const each of REQUIREMENTS.filter(({ level }) => level === 'observed')) expect(each.optional).toBe(true);
});

const SUITES = ['05-authentication', '07-status-codes', '08-limit-headers', '08-limits', '09-versioning']
  .map((name) => readFileSync(new URL(`../../suites/${name}.suite.ts`, import.meta.url), 'utf8'))
  .join('\n');

test('the suites state every requirement of the catalogue once, and the judge that the catalogue names', () => {
  const stated = [...SUITES.matchAll(/requires\('([^']+)'(?:\)|[\s\S]*?judgedBy: '([^']+)')/g)];
  const named = Object.entries(COVERAGE).map(([id, { judge }]) => [id, judge] as const);
  expect(Object.fromEntries(stated.map(([, id, judge]) => [id, judge]))).toEqual(Object.fromEntries(named));
  expect(stated).toHaveLength(REQUIREMENTS.length);
});

// The digest is what certificates name. A change here is a new release of the catalogue: see CONTRIBUTING.md.
test('the catalogue is the one that this release froze', () => {
  expect(catalogueDigest()).toMatchInlineSnapshot(`"47b8cb15ab0cf0322f8bfe93020318047cdaf93056daa1c8ecf62015fd51c821"`);
});
