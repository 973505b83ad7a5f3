import type { Kind } from '../../trace/exchange.ts';
import { classesText, type RequestClass, requirementOf } from '../attribute.ts';
import { drawKinds, listed, type Operator, onlyFor, plural } from '../operator.ts';

/** Keys that draw on one budget. */
export interface SharedKeys {
  readonly kinds: readonly Kind[];
  /**
   * Aliases, a budget for each block; keys that are named nowhere have their own. `of the connection`: each request
   * uses the budget of the key that was used first on its connection.
   */
  readonly blocks: readonly (readonly string[])[] | 'of the connection';
  /** The requests that share a budget, if it is not all of them: others have one for each key beside it. */
  readonly only?: RequestClass;
  /** Present if requests without an accepted key draw on the budget, too, and are refused where none is left. */
  readonly anyone?: true;
}

/** A budget that is coarser than the key. */
export const sharedKeys: Operator<'shared-keys', SharedKeys> = {
  id: 'shared-keys',
  component: 'scope',
  breaks: ({ only, anyone }) => [
    'LIMIT-KEY',
    ...(only ? [requirementOf(only.attribute)] : []),
    ...(anyone ? (['LIMIT-ANON'] as const) : []),
  ],
  mayShow: ({ anyone }) => (anyone ? ['AUTH-4', 'AUTH-5', 'STATUS-401'] : []),
  sentence: ({ kinds, anyone, ...which }) =>
    anyone ? `All ${plural(kinds)} draw on one budget, with any key or none.` : `${told(which)}${onlyFor(kinds)}.`,
  remedy({ blocks, only, anyone }) {
    if (anyone)
      return 'Usually requests are counted by the client’s address before the key is checked. Check the key first, and count by it.';
    if (only)
      return 'Usually the counter is named by the client’s address where the limiter does not find the key, or these requests have a limiter of their own that counts by address. Read the key wherever it may stand, and count by it alone.';
    return blocks === 'of the connection'
      ? 'Usually who sent the first key is kept with the connection. Read the key of each request, and forget it afterwards.'
      : 'Usually requests are counted by the client’s address or account, or by a part of the key that others have too. Count by the whole key.';
  },
  draw(random, { keys }) {
    if (keys.length < 2) return null;
    const kinds = drawKinds(random);
    const chance = random();
    if (chance < 0.2) return { kinds, blocks: [[...keys]], anyone: true };
    if (keys.length === 2 || chance < 0.4) return { kinds, blocks: [[...keys]] };
    if (chance < 0.7) return { kinds, blocks: [keys.slice(0, 2)] };
    return { kinds, blocks: [keys.slice(0, 2), keys.slice(2)].filter((block) => block.length > 1) };
  },
};

function told({ blocks, only }: Pick<SharedKeys, 'blocks' | 'only'>): string {
  if (blocks === 'of the connection') return 'Requests are charged to the key that was used first on their connection';
  if (only) {
    const keys = blocks.map((block) => `one budget for the keys ${listed(block)}`).join(', and on ');
    return `${classesText(only.attribute, only.classes)} draw on ${keys}; other requests have a budget for each key`;
  }
  return blocks
    .map((block, index) => `${index === 0 ? 'The' : 'the'} keys ${listed(block)} draw on one budget`)
    .join('; ');
}
