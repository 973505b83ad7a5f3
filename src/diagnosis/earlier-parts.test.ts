import { expect, test } from 'vitest';
import { EarlierParts, suspectsFirst } from './earlier-parts.ts';
import { proposeLimits } from './proposers/limit.ts';
import { proposeMechanisms } from './proposers/mechanism.ts';
import { proposeLengths } from './proposers/window.ts';

const ALL = [proposeLimits, proposeMechanisms, proposeLengths];

test('who explained an earlier part is asked first of a later one, and nobody is left out', () => {
  const earlier = new EarlierParts();
  earlier.suspects('read').add(proposeLengths);
  const early = { isEnough: () => false, suspects: earlier.suspects('read') };
  expect(suspectsFirst(ALL, early)).toEqual([proposeLengths, proposeLimits, proposeMechanisms]);
  expect(suspectsFirst(ALL, { ...early, suspects: earlier.suspects('write') })).toEqual(ALL);
  expect(suspectsFirst(ALL, null)).toEqual(ALL);
});
