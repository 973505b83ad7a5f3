import { expect, test } from 'vitest';
import { DEFECTS } from '../reference/defects.ts';
import { measureAccuracy } from './accuracy.ts';
import { rate, type Subject } from './subject.ts';
import { subjects } from './subjects.ts';

/** One of each mechanism and of the choices that are hardest to see through; the accuracy command runs them all. */
const VARIANTS = [
  'grid-clock',
  'anchored-late-read',
  'anchored-time-left',
  'log',
  'log-now',
  'counter',
  'counter-latched',
];

/** For each requirement, the first seeded defect that it alone names. */
function oneDefectEach(): Subject[] {
  const chosen = new Map<string, string>();
  for (const { name, must, observable } of DEFECTS) {
    const [id] = must;
    if (id !== undefined && must.length === 1 && observable === true && !chosen.has(id)) chosen.set(id, name);
  }
  const names = new Set(chosen.values());
  return subjects().filter(({ defect }) => defect !== null && names.has(defect));
}

test('over HTTP, a defect of each requirement is found under its name, and no conforming server fails', async () => {
  const conforming = subjects().filter(
    ({ kind, variant, conditions }) =>
      kind === 'conforming' && conditions.name === 'calm' && VARIANTS.includes(variant ?? ''),
  );
  expect(conforming).toHaveLength(VARIANTS.length);
  const outcomes = await measureAccuracy([...conforming, ...oneDefectEach()], {
    scale: 15,
    seed: 11,
    keys: 4,
    keep: null,
    onOutcome: () => {},
  });
  const wrong = outcomes
    .map((outcome) => ({ rating: rate(outcome), ...outcome }))
    .filter(({ rating }) => rating !== 'conforms' && rating !== 'found')
    .map(({ rating, subject, failed, inconclusive, error }) => ({
      rating,
      name: subject.name,
      failed,
      inconclusive,
      error,
    }));
  expect(wrong).toEqual([]);
}, 900_000);
