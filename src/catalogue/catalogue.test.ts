import { expect, test } from 'vitest';
import { catalogueDigest, isRequirementId, requirement } from './catalogue.ts';
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

// The digest is what certificates name. A change here is a new release of the catalogue: see CONTRIBUTING.md.
test('the catalogue is the one that this release froze', () => {
  expect(catalogueDigest()).toMatchInlineSnapshot(`"47b8cb15ab0cf0322f8bfe93020318047cdaf93056daa1c8ecf62015fd51c821"`);
});
