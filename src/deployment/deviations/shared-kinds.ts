import { REFUSED } from '../answers.ts';
import { classesText } from '../attribute.ts';
import { type Operator, pick } from '../operator.ts';

/** Reads and writes that touch one another's budget. */
export interface SharedKinds {
  /**
   * One count for both, held against each kind's limit; or each request of one kind is counted as one of the other too.
   */
  readonly how: 'one count' | 'writes count as reads too' | 'reads count as writes too';
  /** Only these operations are counted as the other kind too; absent: all. */
  readonly operations?: readonly string[];
  /**
   * Only requests with these answers are; absent: whatever they are answered. 429: those that their own limit refuses.
   */
  readonly statuses?: readonly number[];
  /** What the other kind's limit refuses is refused, with its headers; absent: it only counts. */
  readonly refusing?: true;
}

/** A budget that is coarser than the kind. */
export const sharedKinds: Operator<'shared-kinds', SharedKinds> = {
  id: 'shared-kinds',
  component: 'scope',
  breaks: () => ['LIMIT-RW'],
  mayShow: () => [],
  sentence({ how, operations, statuses, refusing }) {
    if (how === 'one count') return 'Reads and writes of a key are counted together.';
    const [own, other] = how === 'writes count as reads too' ? ['write', 'read'] : ['read', 'write'];
    if (statuses?.includes(REFUSED)) return `Each ${own} that is refused is counted as a ${other} too.`;
    if (statuses) return `Each ${own} that is answered ${statuses.join(' or ')} is counted as a ${other} too.`;
    const refused = refusing ? `, and refused where the ${other}s are spent` : '';
    return operations
      ? `${classesText('operation', operations)} ${operations.length === 1 ? 'is' : 'are'} counted as a ${other} too${refused}.`
      : `Each ${own} is counted as a ${other} too${refused}.`;
  },
  remedy: () =>
    'Usually both limits use the same counter, a general limiter also counts writes, a handler calls another operation with the caller’s key, or an error or a refusal is sent on to a page that the limiter sees as another request. Give each kind a counter of its own.',
  draw(random, { operations }) {
    const how = pick(random, ['one count', 'writes count as reads too', 'reads count as writes too'] as const);
    if (how === 'one count' || random() < 0.5) return { how };
    if (random() < 0.3) return { how, statuses: pick(random, [[400, 404, 500], [404], [400], [429]]) };
    const own = operations.filter(({ kind }) => how.startsWith(kind));
    return own.length < 2 ? null : { how, operations: [pick(random, own).id] };
  },
};
