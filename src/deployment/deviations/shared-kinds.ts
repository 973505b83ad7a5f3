import { type Operator, pick } from '../operator.ts';

/** Reads and writes that touch one another's budget. */
export interface SharedKinds {
  /** One count for both, held against each kind's limit; or each request of one kind is counted as one of the other too. */
  readonly how: 'one count' | 'writes count as reads too' | 'reads count as writes too';
}

/** A budget that is coarser than the kind. */
export const sharedKinds: Operator<'shared-kinds', SharedKinds> = {
  id: 'shared-kinds',
  component: 'scope',
  breaks: () => ['LIMIT-RW'],
  mayShow: () => [],
  sentence: ({ how }) =>
    how === 'one count'
      ? 'Reads and writes of a key are counted together.'
      : `Each ${how === 'writes count as reads too' ? 'write is counted as a read' : 'read is counted as a write'} too.`,
  remedy: () =>
    'Usually both limits use the same counter, or a general limiter also counts writes. Give each kind a counter of its own.',
  draw: (random) => ({ how: pick(random, ['one count', 'writes count as reads too', 'reads count as writes too']) }),
};
