import type { Plan } from '../../plan/plan.ts';
import { inSeededOrder, orderLabel, UNKNOWN_PATH, unknownPath } from '../../random/seeded-schedule.ts';
import { observedCredentials } from '../credentials.ts';
import { pairOf, type RequestSpec, recognised } from '../request-spec.ts';
import type { Session } from '../session.ts';
import { failuresInARow } from './failures-in-a-row.ts';

const EXPERIMENT = 'observed';

/**
 * Requests about what the specification leaves open: two keys at once, spellings of a credential, other places for a
 * key, HEAD and OPTIONS, unknown paths, and what is served outside the prefix, in the order that the seed gives; then
 * many failed requests in a row. They are sent last, one after the other. The specification does not say whether they
 * are counted, so they must not use a budget that is being measured.
 *
 * @param plan whether to try the key in the query too, which access logs keep, and whether failures follow each other
 */
export async function observed(
  session: Session,
  key: string,
  { keyInQuery, failuresInARow: isInARow }: Pick<Plan, 'keyInQuery' | 'failuresInARow'>,
): Promise<void> {
  const operation = session.defaultOperation(
    session.profile.operations.some((each) => each.kind === 'read') ? 'read' : 'write',
  );
  const spec = (rest: Partial<RequestSpec>): RequestSpec => ({
    experiment: EXPERIMENT,
    step: 'open',
    operation,
    key,
    fault: 'unstated',
    pair: pairOf(operation),
    ...rest,
  });
  const other = session.keys.restricted ? session.secret('restricted') : null;
  const unknown = unknownPath(session.random(UNKNOWN_PATH));
  const specs = [
    ...observedCredentials(session.secret(key), other, session.madeUpKey)
      .filter(({ query }) => keyInQuery || query === undefined)
      .map((credential) => spec({ credential })),
    spec({ method: 'HEAD', variation: 'head', foreign: true }),
    spec({ method: 'OPTIONS', variation: 'options', foreign: true }),
    spec({ variation: 'unknown-path', foreign: true, retarget: () => unknown }),
    spec({ variation: 'outside-prefix', foreign: true, origin: withoutPrefix(session.profile.baseUrl) }),
  ];
  await session.sendOne(spec({ step: 'control', fault: 'none' }));
  const random = session.random(orderLabel(EXPERIMENT));
  for (const each of inSeededOrder(random, specs, (other) => recognised(other, session.way)))
    await session.sendOne(each);
  // What a key has to bear for such requests shows only afterwards.
  await session.sendOne(spec({ step: 'control', fault: 'none' }));
  if (isInARow) await failuresInARow(session, EXPERIMENT, key);
}

/** The base URL without `/api/v1`, or its origin if it does not end that way. */
export function withoutPrefix(baseUrl: string): string {
  return /\/api\/v1$/.test(baseUrl) ? baseUrl.replace(/\/api\/v1$/, '') : new URL(baseUrl).origin;
}
