import { requirement } from '../catalogue/catalogue.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import type { Plan } from '../plan/plan.ts';
import type { Profile } from '../profile/profile.ts';
import { type Exchange, isSuccess } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';
import type { Diagnosis, Finding, KeyFinding, Testability } from './diagnosis.ts';
import { type Examined, findHeaders, findKeys, findOperations, findProbes } from './findings.ts';
import { NEEDS, type Need, REMEDIES } from './needs.ts';
import { sameAnswer } from './same-answer.ts';

/**
 * What the trace of an examination shows about the profile and the keys: which requirements can be tested now, and what
 * to add. Pure.
 *
 * @param plan what certify would do
 */
export function diagnose(
  profile: Profile,
  plan: Plan,
  trace: Examined,
  selection: readonly RequirementId[],
): Diagnosis {
  const keys = findKeys(trace);
  const operations = findOperations(profile, trace);
  const obstacle = trace.notes.find(({ code }) => code === 'preflight' || code === 'interrupted')?.text ?? null;
  const { invalidParameter, notFound, forbidden: permission, internalFailure } = profile.probes;
  const probed = {
    'invalid parameter': findProbes(invalidParameter, trace),
    'not found': findProbes(notFound, trace),
    forbidden: findProbes(permission, trace),
    'internal failure': findProbes(internalFailure, trace),
  };
  const probes = Object.values(probed).flat();
  const missed = PROBED.filter((need) => isMissed(probed[need]));
  const lacking = new Set([...lackingNeeds(profile, trace, keys, operations), ...missed]);
  const cause = obstacle ?? sameAnswer(profile, trace);
  const remedies: Readonly<Record<Need, string>> = {
    ...REMEDIES,
    ...Object.fromEntries(missed.map((need) => [need, MISSED[need]])),
    ...(keys.some(({ standing }) => standing === 'bad') ? {} : UNREFUSED),
  };
  const requirements = selection.map((id): Testability => {
    const missing = NEEDS[id].filter((need) => lacking.has(need));
    const todo = cause === null ? [...new Set(missing.map((need) => remedies[need]))] : [cause];
    return { id, testable: todo.length === 0, todo, optional: requirement(id).optional };
  });
  const loose = [...operations, ...probes].filter(({ standing }) => standing !== 'good');
  const forbidden = new Set(trace.header.keys.restricted ? [] : profile.probes.forbidden.map(({ name }) => name));
  const untried = loose.filter(({ subject }) => !forbidden.has(subject.split(' ')[0] ?? ''));
  const refused = trace.header.keys.full.some((alias) => isRefused(keys, alias));
  return {
    obstacle,
    requests: trace.exchanges.filter(mayHaveArrived).length,
    keys,
    operations,
    probes,
    headers: findHeaders(trace),
    requirements,
    cost: { requests: plan.requests, seconds: Math.ceil(plan.seconds), allowed: profile.pacing.maxRequests },
    sound: untried.length === 0 && !refused,
    ready: untried.length === 0 && requirements.every(({ testable, optional }) => testable || optional),
  };
}

/** The remedy if no key was refused: then the operation with which the keys are tried is to blame, or a spent limit. */
const UNREFUSED = {
  'accepted keys': 'correct what the lines under Keys show: no key was refused (401), but not all were accepted',
} as const;

/** The remedy if there are probes, but none of them was answered as it should be. */
const MISSED = {
  'invalid parameter': 'correct a probe under probes.invalid_parameter: none was answered 400',
  'not found': 'correct a probe under probes.not_found: none was answered 404',
  forbidden: 'correct a probe under probes.forbidden: none was answered 403',
  'internal failure': 'correct a probe under probes.internal_failure: none was answered 500',
} as const satisfies Partial<Record<Need, string>>;

const PROBED = Object.keys(MISSED) as readonly (keyof typeof MISSED)[];

/** Whether all probes of a list were answered with another status than they are for: then they show nothing. */
function isMissed(findings: readonly Finding[]): boolean {
  return findings.length > 0 && findings.every(({ standing }) => standing === 'bad');
}

function lackingNeeds(
  profile: Profile,
  { header, exchanges }: Trace,
  keys: readonly KeyFinding[],
  operations: readonly Finding[],
): ReadonlySet<Need> {
  const standing = new Map(profile.operations.map((each, index) => [each, operations[index]?.standing ?? 'open']));
  // Any success status counts here: STATUS-200 judges which one it must be.
  const works = profile.operations.filter(
    (each) =>
      standing.get(each) !== 'bad' ||
      exchanges.some(({ operation, status, fault }) => operation === each.id && fault === 'none' && isSuccess(status)),
  );
  const [firstKey, ...otherKeys] = header.keys.full;
  const of = (alias: string | undefined) => keys.filter((each) => each.alias === alias);
  const accepted = (alias: string | undefined): boolean => of(alias).some((each) => each.standing === 'good');
  const plain = (kind: string): number =>
    works.filter((each) => each.kind === kind && each.prepare.length === 0).length;
  const bare = exchanges.some(
    ({ status, headers }) =>
      isSuccess(status) && [headers.limit, headers.remaining, headers.reset].some((each) => each.length === 0),
  );
  const { probes } = profile;
  const there: Readonly<Record<Need, boolean>> = {
    'accepted keys': accepted(firstKey) && !otherKeys.some((alias) => isRefused(keys, alias)),
    'two keys': header.keys.full.length >= 2,
    'restricted key': header.keys.restricted && accepted('restricted'),
    'a read': works.some(({ kind }) => kind === 'read'),
    'a write': works.some(({ kind }) => kind === 'write'),
    service: works.some(({ group }) => group === 'service'),
    categories: works.some(({ group }) => group === 'categories'),
    labels: works.some(({ group }) => group === 'labels'),
    'every operation': works.length === profile.operations.length,
    'two of a kind': plain('read') >= 2 || plain('write') >= 2,
    'both headers': of(firstKey).every((each) => each.standing === 'good'),
    'three headers': !bare,
    'invalid parameter': probes.invalidParameter.some(on(works)),
    'not found': probes.notFound.some(on(works)),
    forbidden: probes.forbidden.some(on(works)),
    'internal failure': probes.internalFailure.some(on(works)),
  };
  return new Set((Object.keys(there) as Need[]).filter((need) => !there[need]));
}

function isRefused(keys: readonly KeyFinding[], alias: string): boolean {
  return keys.filter((each) => each.alias === alias).every(({ standing }) => standing === 'bad');
}

/** A probe proves nothing if its unchanged operation does not succeed. */
function on(operations: Profile['operations']): (probe: { readonly operation: string }) => boolean {
  const ids = new Set(operations.map(({ id }) => id));
  return ({ operation }) => ids.has(operation);
}

/**
 * Without a connection nothing was sent. With one, the deployment may have counted a request that it did not answer.
 */
function mayHaveArrived({ failure }: Exchange): boolean {
  return failure !== 'refused' && failure !== 'dns' && failure !== 'tls';
}
