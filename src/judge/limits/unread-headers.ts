import { isAnswerOf } from '../../deployment/answers.ts';
import type { Deviation } from '../../deployment/operators.ts';
import { untold, type World } from '../../diagnosis/world.ts';

/**
 * The world without the headers that these deviations make wrong: what proves another deviation must not rest on them.
 */
export function unreadHeaders(world: World, deviations: readonly Deviation[]): World {
  return deviations.reduce((read, { operator, parameters }) => {
    if (operator !== 'marker-header' && operator !== 'remaining-header') return read;
    const { only } = parameters;
    if (typeof only === 'string' && only !== 'all') return read;
    return untold(read, [operator === 'marker-header' ? 'reset' : 'remaining'], ({ exchange }) =>
      isAnswerOf(only, exchange),
    );
  }, world);
}
