import { BAD_KEYS, badKeyNamed, type KeyFamily, TOGETHER } from '../catalogue/key-states.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { type Exchange, GROUPS, type Group, isSuccess } from '../trace/exchange.ts';
import { type Due, judgeDue, status } from './due.ts';
import { allOf, combine, type Finding, groupBy, saidApart, sumUp, unsettled, untested } from './parts.ts';
import { wasInterrupted } from './progress.ts';
import { toForbid } from './to-succeed.ts';
import type { Opinion } from './verdict.ts';
import { isOfProfile, type View } from './view.ts';

/** What AUTH-5 names: each must have been seen. A revoked key is none of them: clause 5 leaves revocation open. */
const FAMILIES: readonly KeyFamily[] = ['unknown', 'altered', 'empty', 'wrong-scheme'];

const NO_KEY_REMEDY = 'select AUTH-1 and AUTH-4, and run certify with at least one full key';

const noSuccess: Due = {
  expected: 'no success',
  wrong: (seen) => `requests without a key succeed with ${seen}`,
  clause: 'each request must be authenticated with an API key (clause 5.1).',
  holds: (code) => !isSuccess(code),
  breaksAlone: isSuccess,
  remedy: NO_KEY_REMEDY,
  byCertify: true,
};

export const unauthorizedWithoutKey: Due = {
  ...status(
    401,
    'requests without a key',
    'when no key is supplied, the response status is 401 (clause 5.4).',
    NO_KEY_REMEDY,
  ),
  byCertify: true,
};

/** @param requests which ones, in words */
function unauthorized(requests: string): Due {
  return {
    ...status(
      401,
      requests,
      'no valid key was sent in either of the two ways, so the status must be 401 (clauses 5.2 and 7).',
      'select AUTH-5, and run certify with at least one full key',
    ),
    wrong: (seen, statuses) =>
      statuses.some(isSuccess)
        ? `${requests} are accepted, and answered ${seen} instead of 401`
        : `${requests} are answered ${seen}, not 401`,
    byCertify: true,
  };
}

export const unauthorizedWithBadKey: Due = unauthorized('requests with a wrong key');

const unauthorizedWithBadScheme: Due = unauthorized(
  'requests with a key in Authorization that does not follow the word Bearer',
);

/** A field that HTTP lets a server refuse as malformed may be answered with 400, before anything looks at the key. */
export function dueOn(badKey: string): Due {
  const { family, malformed } = badKeyNamed(badKey) ?? {};
  const due = family === 'wrong-scheme' ? unauthorizedWithBadScheme : unauthorizedWithBadKey;
  return malformed ? { ...due, holds: (code) => code === 401 || code === 400 } : due;
}

function forbidden(view: View): Due {
  return status(
    403,
    'operations for which the key lacks permission',
    'when the key lacks permission for the operation, the response status is 403 (clause 5.5).',
    toForbid(view),
  );
}

/**
 * AUTH-1, AUTH-4 to AUTH-6: what must follow where no key is accepted, or permission is lacking. (AUTH-2, -3 and -7:
 * credentials.ts.)
 */
export function judgeAuthentication(view: View): Opinion[] {
  const probes = view.exchanges.filter(isOfProfile);
  const keyless = probes.filter((each) => each.fault === 'no-key');
  const bad = groupBy(
    probes.filter((each) => each.fault === 'bad-key'),
    (each) => each.variation ?? 'unnamed',
  );
  bad.delete('revoked');
  const seen = new Set<string>([...bad.keys()].map((name) => badKeyNamed(name)?.family ?? name));
  const unseen = FAMILIES.filter((family) => !seen.has(family));
  const open = new Set(keyless.filter(succeeds).map(({ operation }) => operation));
  const wrong = [...bad.values()].flat().filter(succeeds);
  const isOpenAnyway = wrong.length > 0 && wrong.every(({ operation }) => open.has(operation));
  // A success without a key is one failure, and not a second one because it is no 401.
  const answeredKeyless = keyless.filter(({ status }) => status !== null && status !== 401 && status !== 429);
  const isOnlyOpen = answeredKeyless.length > 0 && answeredKeyless.every(succeeds);
  return [
    overGroups(view, 'AUTH-1', keyless, noSuccess, 'no operation succeeds without a key'),
    {
      ...(isOnlyOpen && { followsFrom: ['AUTH-1'] as const }),
      ...overGroups(view, 'AUTH-4', keyless, unauthorizedWithoutKey, 'every operation answers 401 without a key'),
    },
    {
      ...(isOpenAnyway && { followsFrom: ['AUTH-1'] as const }),
      ...combine(
        'AUTH-5',
        [
          ...unseen.map((family) => judgeDue(view, family, [], unauthorizedWithBadKey)),
          // A success is the worst answer, and told first.
          ...[...bad]
            .toSorted(([, one], [, other]) => Number(other.some(succeeds)) - Number(one.some(succeeds)))
            .map(([name, own]) => judgeDue(view, name, own, dueOn(name))),
        ],
        'every request with a key that is not accepted is answered 401',
        { notes: formsNotTried(view, bad) },
      ),
    },
    combine('AUTH-6', judgePermission(view), 'without permission, the status is 403'),
  ];
}

/** Forms that a certification leaves out where the keys do not show that nobody was given such a key. */
function formsNotTried({ trace }: View, tried: ReadonlyMap<string, unknown>): readonly string[] {
  const left = BAD_KEYS.filter(({ name, family }) => family === 'altered' && !tried.has(name)).map(({ name }) => name);
  if (trace.header.command !== 'certify' || wasInterrupted(trace)) return [];
  if (tried.size === 0 || !left.some(isOfAll)) return [];
  return [
    `keys in these forms were not tried, since they may be other good keys: ${left.join(', ')}. Give at least two random keys of the same length, so that they differ in twelve places or more, to try them.`,
  ];
}

/** Whether all keys of a run have the form, or none. */
function isOfAll(name: string): boolean {
  return TOGETHER.some((forms) => forms.has(name));
}

function succeeds({ status }: Exchange): boolean {
  return isSuccess(status);
}

/** AUTH-6, and with it STATUS-403: each operation that the restricted key may not do. */
export function judgePermission(view: View): Finding[] {
  const probes = view.exchanges.filter((each) => isOfProfile(each) && each.fault === 'permission');
  if (probes.length === 0) return [judgeDue(view, 'forbidden', [], forbidden(view))];
  const known = view.answers.some(
    (each) => each.key === 'restricted' && (isSuccess(each.status) || each.status === 403 || each.status === 429),
  );
  return [...groupBy(probes, (each) => each.operation ?? '')].map(([operation, own]) => {
    const finding = judgeDue(view, operation, own, forbidden(view));
    // Where the restricted key was never accepted for anything, a 401 may as well mean that it is no key of this
    // deployment.
    if (finding.verdict !== 'fail' || known || own.some((each) => each.status !== 401 && each.status !== null))
      return finding;
    return unsettled(
      operation,
      'answered 401, but nothing shows that the restricted key is a key of this deployment',
      'check SIZE_CHART_RESTRICTED_KEY: it must be a valid key, with permission for at least one read operation of the profile',
    );
  });
}

function overGroups(view: View, id: RequirementId, probes: readonly Exchange[], due: Due, passed: string): Opinion {
  const byOperation = groupBy(probes, (each) => each.operation);
  const sampled = view.trace.header.command === 'check';
  const notes: string[] = [];
  const all: Finding[] = [];
  const findings = GROUPS.map((group): Finding => {
    const operations = view.trace.header.profile.operations.filter((each) => each.group === group);
    if (operations.length === 0) return missingGroup(group);
    const own = operations.map((each) => judgeDue(view, each.id, byOperation.get(each.id) ?? [], due));
    all.push(...own);
    const tried = own.filter((each) => each.verdict !== 'not tested');
    if (sampled && tried.length > 0 && tried.length < own.length) {
      notes.push(`${group}: a quick check tries ${tried.length} of ${own.length} operations`);
      return asGroup(group, tried);
    }
    return asGroup(group, own);
  });
  const opinion = combine(id, findings, passed, { notes });
  const deciding = all.filter(({ verdict }) => verdict !== 'not tested' && verdict === opinion.verdict);
  return opinion.verdict === 'pass' ? opinion : { ...opinion, ...saidApart(deciding, opinion.summary) };
}

function asGroup(group: Group, operations: readonly Finding[]): Finding {
  const { remedy, proofs, place: _, ...sum } = sumUp(operations, allOf(operations.length, 'operation'));
  return {
    name: group,
    ...sum,
    ...(remedy === null ? {} : { remedy }),
    proofs: proofs.map((proof) => ({ ...proof, part: group })),
  };
}

/** A group of which the profile names nothing: what must hold in each group cannot be shown. */
export function missingGroup(group: Group): Finding {
  return untested(
    group,
    'the profile names no operation of this group, so how it treats keys is not known',
    `add an operation of the group ${group} to the profile: clause 4 gives each of the three groups some, and other groups do not show how this one treats keys`,
  );
}
