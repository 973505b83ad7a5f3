import { type ProfileError, readProfile } from '../profile/read-profile.ts';
import { InitError } from './init-error.ts';
import { profileText } from './profile-text.ts';
import type { Proposal } from './proposal.ts';

/** A profile that can be read, as text. */
export interface Settled {
  readonly text: string;
  readonly proposal: Proposal;
  readonly warnings: readonly ProfileError[];
}

/** Each round drops an operation or probe at least, so that more are needed only by a document that is odd throughout. */
const MAX_ROUNDS = 50;

/**
 * Writes a proposal down so that `readProfile` accepts it. What it does not accept of an odd document is left out, and said so.
 *
 * @throws InitError where nothing would be left
 */
export function settle(proposal: Proposal, file: string, schema: string): Settled {
  let current = proposal;
  for (let round = 0; round < MAX_ROUNDS && current.operations.length > 0; round += 1) {
    const text = profileText(current, schema);
    const result = readProfile(text, { file });
    if ('profile' in result) return { text, proposal: current, warnings: result.warnings };
    const next = without(current, result.errors);
    if (next === null) throw new InitError(`The proposed profile cannot be read: ${result.errors[0]?.problem}.`);
    current = next;
  }
  throw new InitError(
    'No operation could be proposed from this document. Give one that describes the service, or run init without --openapi.',
  );
}

/** Without the operations and probes that are in error, and without what needs them; null where the error is elsewhere. */
function without(proposal: Proposal, errors: readonly ProfileError[]): Proposal | null {
  const { operations, probes } = proposal;
  const bad = (part: string): Set<number> =>
    new Set(
      errors.flatMap(({ path }) =>
        path.startsWith(`${part}[`) ? [Number.parseInt(path.slice(part.length + 1), 10)] : [],
      ),
    );
  const dropped = bad('operations');
  const lost = new Set(operations.flatMap(({ value }, index) => (dropped.has(index) ? [value.id] : [])));
  for (let before = -1; before !== lost.size; ) {
    before = lost.size;
    for (const { value } of operations) if (value.prepare?.some((id) => lost.has(id))) lost.add(value.id);
  }
  const keep = (list: keyof Proposal['probes']) => {
    const wrong = bad(`probes.${list}`);
    return probes[list].filter(({ value }, index) => !wrong.has(index) && !lost.has(value.operation));
  };
  const kept = {
    invalid_parameter: keep('invalid_parameter'),
    not_found: keep('not_found'),
    forbidden: keep('forbidden'),
    internal_failure: keep('internal_failure'),
  };
  const count = (lists: Proposal['probes']): number => Object.values(lists).reduce((sum, list) => sum + list.length, 0);
  if (lost.size === 0 && count(kept) === count(probes)) return null;
  return {
    ...proposal,
    operations: operations
      .filter(({ value }) => !lost.has(value.id))
      .map(({ value, checks }) => {
        const { cleanup, ...others } = value;
        return { value: cleanup?.some((id) => lost.has(id)) ? others : value, checks };
      }),
    probes: kept,
    checks: [
      ...proposal.checks,
      ...(lost.size > 0 ? [`Left out, since the document is odd there: ${[...lost].slice(0, 8).join(', ')}.`] : []),
    ],
  };
}
