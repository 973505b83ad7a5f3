import type { Probe, Profile } from '../../profile/profile.ts';
import { readProfile } from '../../profile/read-profile.ts';
import type { Random } from '../../random/random.ts';
import { referenceProfile } from '../../reference/profile.ts';

/** This host does not exist: a run in virtual time sends nothing over a network. */
const BASE_URL = 'http://reference.invalid/api/v1';

let whole: Profile | null = null;

/**
 * The whole profile of the reference service, the same object each time. Throws a RangeError if the suite cannot read
 * it.
 */
export function wholeProfile(): Profile {
  if (whole) return whole;
  const read = readProfile(referenceProfile(BASE_URL), { file: 'the reference profile' });
  if ('errors' in read) throw new RangeError(read.errors.map((each) => each.problem).join('; '));
  whole = read.profile;
  return whole;
}

/**
 * A profile with 3 to 10 of the operations of the reference service, at least one of each kind, and the probes that are
 * possible with them.
 */
export function drawProfile(random: Random): Profile {
  const whole = wholeProfile();
  const order = whole.operations
    .map((operation) => ({ operation, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ operation }) => operation);
  const needed = (['read', 'write'] as const).flatMap(
    (kind) => order.find((each) => each.kind === kind && each.prepare.length === 0) ?? [],
  );
  const count = 3 + Math.floor(random() * 8);
  const chosen = [...new Set([...needed, ...order])].slice(0, count).map(({ id }) => id);
  const operations = whole.operations.filter(({ id, prepare }) =>
    [id, ...prepare].every((each) => chosen.includes(each)),
  );
  const offered = (probes: readonly Probe[]): readonly Probe[] =>
    probes.filter(({ operation }) => operations.some(({ id }) => id === operation));
  const { invalidParameter, notFound, forbidden, internalFailure } = whole.probes;
  return {
    ...whole,
    operations,
    probes: {
      invalidParameter: offered(invalidParameter),
      notFound: offered(notFound),
      forbidden: offered(forbidden),
      internalFailure: offered(internalFailure),
    },
  };
}
