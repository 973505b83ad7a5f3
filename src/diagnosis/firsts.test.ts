import { expect, test } from 'vitest';
import type { Deviation } from '../deployment/operators.ts';
import { Work } from '../oracle/work.ts';
import { firstsOf } from './firsts.ts';
import type { Proposal, SearchContext } from './proposal.ts';
import { conformingWorld } from './world.ts';

const proposal = (name: string, bits: number, rest: Partial<Proposal> = {}): Proposal => ({
  deviations: [{ operator: name, parameters: {} } as unknown as Deviation],
  bits,
  world: conformingWorld([]),
  ...rest,
});

test('pairs begin with what explains the other kind, then with what headers state, short ones first', () => {
  const context = { work: new Work(1_000_000) } as SearchContext;
  const partial = [
    proposal('marker-header', 23, { isStated: true }),
    proposal('other-limit', 12),
    proposal('remaining-header', 16, { isStated: true }),
    proposal('shared-keys', 30),
  ];
  const beside = partial.slice(3).map(({ deviations }) => deviations);
  const names = firstsOf(partial, beside, context).flatMap(({ deviations }) => deviations.map((each) => each.operator));
  expect(names).toEqual(['shared-keys', 'remaining-header', 'marker-header', 'other-limit']);
});
