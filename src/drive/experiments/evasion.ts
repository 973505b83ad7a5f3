import { FORGED_HEADERS } from '../../catalogue/forged-headers.ts';
import type { Operation } from '../../profile/profile.ts';
import { inSeededOrder, orderLabel } from '../../random/seeded-schedule.ts';
import { byApiKey, byBearer, byBoth, byLowerCase } from '../credentials.ts';
import { pairOf, type RequestSpec, recognised } from '../request-spec.ts';
import type { Session } from '../session.ts';
import { askBeside } from './steps.ts';
import type { TrackContext } from './track.ts';

/**
 * On a spent budget: a request of the other kind, which must not be refused; then every other operation of the kind,
 * the other header, and each way of evasion of LIMIT-EVADE, in the order that the seed gives, which must all be
 * refused. A plain request before, between and after shows that the budget was spent the whole time.
 */
export async function evade(context: TrackContext): Promise<void> {
  const { session, track } = context;
  const attempts: Attempt[] = [
    ...others(session, context).map((operation, index): Attempt => {
      const credential = (index % 2 === 0 ? byApiKey : byBearer)(session.secret(track.key));
      return { step: 'scope', rest: { operation, pair: pairOf(operation), credential } };
    }),
    { step: 'header', rest: { credential: byBearer(session.secret(track.key)) } },
    ...evasions(session, track.key).map((rest): Attempt => ({ step: 'evasion', rest })),
  ];
  const ordered = inSeededOrder(session.random(orderLabel(track.id)), attempts, ({ rest }) =>
    recognised({ operation: context.operation, ...rest }, session.way),
  );
  const half = Math.ceil(ordered.length / 2);
  await context.one('control');
  await askBeside(context);
  for (const { step, rest } of ordered.slice(0, half)) await context.one(step, rest);
  await context.one('control');
  for (const { step, rest } of ordered.slice(half)) await context.one(step, rest);
  await context.one('control');
}

/** One attempt on the spent budget: its step in the recording, and what differs from the plain request. */
interface Attempt {
  readonly step: 'scope' | 'header' | 'evasion';
  readonly rest: Partial<RequestSpec>;
}

/**
 * Operations of the same kind that need no preparation (a preparation is a write, and would be refused): a bounded
 * number, all groups first.
 */
function others({ profile }: Session, context: TrackContext): readonly Operation[] {
  const usable = profile.operations.filter(
    (each) => each.kind === context.track.kind && each !== context.operation && each.prepare.length === 0,
  );
  const groups = new Set<string>();
  const first = usable.filter((each) => !groups.has(each.group) && groups.add(each.group));
  return [...first, ...usable.filter((each) => !first.includes(each))].slice(0, context.track.others);
}

/**
 * The ways of LIMIT-EVADE, one at a time. If the specification does not say that such a request succeeds, it is marked
 * `unstated`.
 */
export function evasions(session: Session, key: string): Partial<RequestSpec>[] {
  const secret = session.secret(key);
  const forged = Object.entries(FORGED_HEADERS).map(([variation, header]): Partial<RequestSpec> => {
    return { variation, extraHeaders: [header] };
  });
  return [
    { variation: 'new-connection', fresh: true },
    ...forged,
    { variation: 'query-string', fault: 'unstated', retarget: withQuery },
    { variation: 'path-case', fault: 'unstated', foreign: true, retarget: withOtherCase },
    { variation: 'trailing-slash', fault: 'unstated', foreign: true, retarget: withOtherEnd },
    // White space around a field's value does not belong to it (RFC 9110, 5.5); between the scheme and the key it may.
    { variation: 'key-spaces', fault: 'unstated', credential: byApiKey(`  ${secret}  `) },
    {
      variation: 'key-spaces',
      fault: 'unstated',
      credential: { name: 'bearer', headers: [['Authorization', `Bearer  ${secret}  `]] },
    },
    { variation: 'both-headers', fault: 'unstated', credential: byBoth(secret) },
    { variation: 'scheme-case', fault: 'unstated', credential: byLowerCase(secret) },
  ];
}

const withQuery = (target: string): string => `${target}${target.includes('?') ? '&' : '?'}unrelated=1`;

function withOtherCase(target: string): string {
  const [path = '', query] = target.split('?');
  return path.toUpperCase() + (query === undefined ? '' : `?${query}`);
}

/** The path with a slash added at its end, or removed if it has one. */
function withOtherEnd(target: string): string {
  const [path = '', query] = target.split('?');
  const other = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
  return other + (query === undefined ? '' : `?${query}`);
}
