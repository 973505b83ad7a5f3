import { type Choices, type Deployment, type Mechanism, type PhaseName, SECOND } from '../../deployment/deployment.ts';
import { pick, type Surface } from '../../deployment/operator.ts';
import { type Deviation, drawDeviation, OPERATOR_IDS, type OperatorId } from '../../deployment/operators.ts';
import type { Profile } from '../../profile/profile.ts';
import type { Random } from '../../random/random.ts';
import { VARIANTS } from '../../reference/variants.ts';

/** The kinds of drawn deployments. */
export function surfaceOf({ operations }: Profile, keys: number): Surface {
  return { operations, keys: Array.from({ length: keys }, (_, index) => `key-${index + 1}`) };
}

/**
 * The choices of a conforming deployment: an admissible variant, sometimes with the mechanism of another for writes, or
 * with other options.
 */
export function drawChoices(random: Random): Choices {
  const { options } = pick(random, VARIANTS);
  if (random() < 0.5) return options;
  const mechanism = drawMechanism(random);
  const write = random() < 0.2 ? drawMechanism(random) : mechanism;
  return { ...options, mechanism: { read: mechanism, write } };
}

/**
 * One conforming deployment in six begins a window with any request of a key, or of anybody, for both kinds. Of the
 * others, one log in two has steps.
 */
export function drawRareMechanism(random: Random, choices: Choices): Choices {
  const chance = random();
  if (chance >= 1 / 6) return chance < 7 / 12 ? withSteps(random, choices) : choices;
  const mechanism: Mechanism = { name: 'anchored', wholeSecond: false, opens: pick(random, ['any of the key', 'any']) };
  return { ...choices, mechanism: { read: mechanism, write: mechanism } };
}

function withSteps(random: Random, choices: Choices): Choices {
  const step = pick(random, [1, 3, 5, 6, 10, 15, 20, 30]) * SECOND;
  const stepped = (own: Mechanism): Mechanism => (own.name === 'log' && !own.logRefused ? { ...own, step } : own);
  const { read, write } = choices.mechanism;
  return { ...choices, mechanism: { read: stepped(read), write: stepped(write) } };
}

/**
 * A deployment with deviations of these operators, except those for which the surface gives no occasion. Some
 * deviations are about a window with a beginning and an end: these apply only to fixed windows.
 */
export function drawDeployment(random: Random, surface: Surface, operators: readonly OperatorId[]): Deployment {
  const deviations = operators.flatMap((operator) => drawDeviation(operator, random, surface) ?? []);
  const choices = drawChoices(random);
  const mechanism = { read: fixed(random), write: fixed(random) };
  return { choices: deviations.some(needsFixedWindows) ? { ...choices, mechanism } : choices, deviations };
}

/** Some operators at random, none twice. */
export function drawOperators(random: Random, count: number): readonly OperatorId[] {
  const drawn = new Set<OperatorId>();
  while (drawn.size < count) drawn.add(pick(random, OPERATOR_IDS));
  return [...drawn];
}

function needsFixedWindows({ operator, parameters }: Deviation): boolean {
  if (operator === 'other-limit') return parameters.from !== 'always';
  if (operator === 'window-length') return parameters.length === null || parameters.told !== parameters.length;
  if (operator === 'carried-over') return parameters.what !== 'old count';
  if (operator === 'other-mechanism') return parameters.name === 'leaking window';
  return operator === 'moved-end' || operator === 'free-first-request' || operator === 'marker-header';
}

const PHASES: readonly PhaseName[] = ['clock', 'process', 'key-hash', 'first-request'];

function fixed(random: Random): Mechanism {
  return random() < 0.5
    ? { name: 'grid', phase: pick(random, PHASES) }
    : { name: 'anchored', wholeSecond: random() < 0.2 };
}

function drawMechanism(random: Random): Mechanism {
  const name = pick(random, ['fixed', 'log', 'counter'] as const);
  if (name === 'fixed') return fixed(random);
  if (name === 'log') {
    const logRefused = random() < 0.3;
    // If a log also stores refusals, its oldest entry does not show when a slot is free.
    return { name, logRefused, reset: pick(random, logRefused ? ['slot', 'now'] : ['oldest', 'newest', 'now']) };
  }
  const phase = pick(random, PHASES);
  const countRefused = random() < 0.2;
  const rounding = countRefused ? 'floor' : pick(random, ['floor', 'round', 'ceil', 'real'] as const);
  const latch = !countRefused && random() < 0.2;
  const reanchor = phase === 'first-request' && random() < 0.5;
  const reset = pick(random, ['bucket', 'bucket', 'slot'] as const);
  // If refusals are counted or stored, the budget is not back with the next slot, as clause 8.2 says of the marker.
  return { name, phase, rounding, latch, reanchor, countRefused, reset: latch || countRefused ? 'bucket' : reset };
}
