import { type ProfileError, readProfile } from '../profile/read-profile.ts';
import { InitError } from './init-error.ts';
import { profileText } from './profile-text.ts';
import { mapProbes, type Proposal } from './proposal.ts';

/** A profile that can be read, as text. */
export interface Settled {
  readonly text: string;
  readonly proposal: Proposal;
  readonly warnings: readonly ProfileError[];
}

/** Each round drops at least one operation or probe, so only a very unusual document needs more. */
const MAX_ROUNDS = 50;

/**
 * Writes a proposal down so that `readProfile` accepts it. It leaves out parts that `readProfile` does not accept, and
 * says so.
 *
 * @throws InitError if nothing would be left
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

/**
 * The proposal without the operations and probes that have errors; null if the error is elsewhere. Operations that need
 * the dropped ones have errors in the next round.
 */
function without(proposal: Proposal, errors: readonly ProfileError[]): Proposal | null {
  const faulty = (place: string): boolean => errors.some(({ path }) => path.startsWith(place));
  const lost = proposal.operations.flatMap(({ value }, index) => (faulty(`operations[${index}]`) ? [value.id] : []));
  const probes = mapProbes(proposal.probes, (list, name) =>
    list.filter(({ value }, index) => !lost.includes(value.operation) && !faulty(`probes.${name}[${index}]`)),
  );
  const count = (lists: Proposal['probes']): number => Object.values(lists).flat().length;
  if (lost.length === 0 && count(probes) === count(proposal.probes)) return null;
  const operations = proposal.operations
    .filter(({ value }) => !lost.includes(value.id))
    .map(({ value: { cleanup, ...others }, checks }) => {
      const kept = cleanup?.some((id) => lost.includes(id)) ? undefined : cleanup;
      return { value: kept ? { ...others, cleanup: kept } : others, checks };
    });
  const said =
    lost.length > 0
      ? [
          `Left out, because the document describes them in a way that makes no valid request: ${lost.slice(0, 8).join(', ')}.`,
        ]
      : [];
  return { ...proposal, operations, probes, checks: [...proposal.checks, ...said] };
}
