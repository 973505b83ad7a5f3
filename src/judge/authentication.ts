import type { RequirementId } from '../catalogue/requirement.ts';
import type { Exchange, Group } from '../trace/exchange.ts';
import { type Due, judgeDue, status } from './due.ts';
import { combine, describe, type Finding, groupBy, proofOf } from './parts.ts';
import type { Opinion } from './verdict.ts';
import { isOfProfile, isPlain, isSuccess, type View } from './view.ts';

const GROUPS: readonly Group[] = ['service', 'categories', 'labels'];

/** The cases that AUTH-5 names. A revoked key is none of them: clause 5 leaves revocation open. */
const BAD_KEYS: readonly string[] = ['unknown', 'altered', 'empty', 'wrong-scheme'];

const NO_KEY_REMEDY = 'select AUTH-1 and AUTH-4 and certify, with at least one full key';

const noSuccess: Due = {
  expected: 'no success',
  clause: 'every request must be authenticated with an API key (clause 5.1).',
  holds: (code) => !isSuccess(code) && code < 500,
  breaksAlone: isSuccess,
  remedy: NO_KEY_REMEDY,
};

export const unauthorizedWithoutKey = status(
  401,
  'when no key is supplied, the response status is 401 (clause 5.4).',
  NO_KEY_REMEDY,
);

export const unauthorizedWithBadKey = status(
  401,
  'a key is required and none was accepted, so the status is 401 (clause 7).',
  'select AUTH-5 and certify, with at least one full key',
);

export const forbidden = status(
  403,
  'when the key lacks permission for the operation, the response status is 403 (clause 5.5).',
  'add a probe to probes.forbidden of the profile, and set SIZE_CHART_RESTRICTED_KEY to a key that may not do it',
);

/** AUTH-1, AUTH-4 to AUTH-6: what must follow where no key is accepted, or permission is lacking. (AUTH-2, -3 and -7: credentials.ts.) */
export function judgeAuthentication(view: View): Opinion[] {
  const probes = view.exchanges.filter(isOfProfile);
  const keyless = probes.filter((each) => each.fault === 'no-key');
  const bad = groupBy(
    probes.filter((each) => each.fault === 'bad-key'),
    (each) => each.variation ?? 'unnamed',
  );
  const further = [...bad.keys()].filter((name) => !BAD_KEYS.includes(name) && name !== 'revoked');
  return [
    overGroups(view, 'AUTH-1', keyless, noSuccess, 'no operation succeeds without a key'),
    overGroups(view, 'AUTH-4', keyless, unauthorizedWithoutKey, 'every operation answers 401 without a key'),
    combine(
      'AUTH-5',
      [...BAD_KEYS, ...further].map((name) => judgeDue(view, name, bad.get(name) ?? [], unauthorizedWithBadKey)),
      'no key that is not accepted is answered anything but 401',
    ),
    combine('AUTH-6', judgePermission(view), 'without permission, the status is 403'),
  ];
}

/** AUTH-6, and with it STATUS-403: each operation that the restricted key may not do. */
export function judgePermission(view: View): Finding[] {
  const probes = view.exchanges.filter((each) => isOfProfile(each) && each.fault === 'permission');
  if (probes.length === 0) return [judgeDue(view, 'forbidden', [], forbidden)];
  const known = view.answers.some(
    (each) => each.key === 'restricted' && (isSuccess(each.status) || each.status === 403 || each.status === 429),
  );
  return [...groupBy(probes, (each) => each.operation ?? '')].map(([operation, own]) => {
    const finding = judgeDue(view, operation, own, forbidden);
    // Where the restricted key was never accepted for anything, a 401 may as well mean that it is no key of this deployment.
    if (finding.verdict !== 'fail' || known || own.some((each) => each.status !== 401 && each.status !== null))
      return finding;
    return {
      name: operation,
      verdict: 'inconclusive',
      witnesses: 0,
      summary: 'answered 401, but nothing shows that the restricted key is a key of this deployment',
      remedy:
        'check SIZE_CHART_RESTRICTED_KEY: it must be a valid key, with permission for at least one read operation of the profile',
    };
  });
}

function overGroups(view: View, id: RequirementId, probes: readonly Exchange[], due: Due, passed: string): Opinion {
  const byOperation = groupBy(probes, (each) => each.operation);
  const sampled = view.trace.header.command === 'check';
  const notes: string[] = [];
  const findings = GROUPS.map((group): Finding => {
    const operations = view.trace.header.profile.operations.filter((each) => each.group === group);
    if (operations.length === 0) return missingGroup(group);
    const own = operations.map((each) => judgeDue(view, each.id, byOperation.get(each.id) ?? [], due));
    const tried = own.filter((each) => each.verdict !== 'not tested');
    if (sampled && tried.length > 0 && tried.length < own.length) {
      notes.push(`${group}: a quick check tries ${tried.length} of ${own.length} operations`);
      return asGroup(group, tried);
    }
    return asGroup(group, own);
  });
  return combine(id, findings, passed, { notes });
}

function asGroup(group: Group, operations: readonly Finding[]): Finding {
  const whole = combine('AUTH-1', operations, `all ${operations.length} operations`);
  return {
    name: group,
    verdict: whole.verdict,
    witnesses: whole.witnesses ?? 0,
    summary: whole.summary,
    ...(whole.remedy ? { remedy: whole.remedy } : {}),
    proofs: (whole.proofs ?? []).map((proof) => ({ ...proof, part: group })),
  };
}

function missingGroup(group: Group): Finding {
  return {
    name: group,
    verdict: 'not tested',
    witnesses: 0,
    summary: 'the profile names no operation of this group',
    remedy: `add an operation of the group ${group} to the profile`,
  };
}

const WAYS = [
  { id: 'AUTH-2', way: 'x-api-key', words: 'X-API-Key' },
  { id: 'AUTH-3', way: 'bearer', words: 'Authorization: Bearer' },
] as const;

/** AUTH-2 and AUTH-3: a valid key is accepted in either header; AUTH-7: and both are answered alike. */
export function judgeCredentials(view: View): Opinion[] {
  return [...WAYS.map(({ id, way, words }) => judgeWay(view, id, way, words)), judgeAlike(view)];
}

function judgeWay(view: View, id: RequirementId, way: string, words: string): Opinion {
  const plain = view.exchanges.filter((each) => isOfProfile(each) && isPlain(each) && each.credential === way);
  const accepted = new Map<string, Exchange>();
  for (const each of view.answers) {
    const name = `${each.key} ${each.operation}`;
    if (isPlain(each) && isSuccess(each.status) && !accepted.has(name)) accepted.set(name, each);
  }
  const findings = GROUPS.map((group): Finding => {
    if (!view.trace.header.profile.operations.some((each) => each.group === group)) return missingGroup(group);
    const own = plain.filter((each) => each.group === group);
    const passed = own.filter((each) => each.status !== null && isSuccess(each.status));
    const works = new Set(passed.map((each) => each.operation));
    // A 401 to a key that is known to be good says that it was not accepted; any other refusal of an operation that succeeds
    // with the other header, and never with this one, says the same.
    const refused = own.filter(
      (each) =>
        each.status !== null &&
        accepted.has(`${each.key} ${each.operation}`) &&
        (each.status === 401 ||
          (each.status >= 400 && each.status < 500 && each.status !== 429 && !works.has(each.operation))),
    );
    const [first] = refused;
    if (first) {
      const control = accepted.get(`${first.key} ${first.operation}`);
      return {
        name: group,
        verdict: 'fail',
        witnesses: refused.length + passed.length,
        summary: `a valid key in ${words} was answered ${first.status}`,
        proofs: [
          proofOf({
            part: group,
            expected: `a valid key in ${words} is accepted`,
            received: String(first.status),
            count: refused.length,
            evidence: control ? [control, first] : [first],
            argument: [
              ...(control ? [`${describe(control)} succeeded (${control.status}), so the key is valid.`] : []),
              `${describe(first)} was answered ${first.status}: the key is sent in one of two ways, and this is one of them (clause 5.2).`,
            ],
          }),
        ],
      };
    }
    if (passed.length > 0) {
      return {
        name: group,
        verdict: 'pass',
        witnesses: passed.length,
        summary: `accepted on ${works.size} operations`,
      };
    }
    return own.length === 0
      ? {
          name: group,
          verdict: 'not tested',
          witnesses: 0,
          summary: `no operation was tried with ${words}`,
          remedy: `select ${id} and run again with at least one full key`,
        }
      : {
          name: group,
          verdict: 'inconclusive',
          witnesses: 0,
          summary: 'no operation of this group succeeded with either header',
          remedy: 'check that SIZE_CHART_KEYS holds valid keys, and that the operations of the profile can succeed',
        };
  });
  return combine(id, findings, `a valid key in ${words} is accepted in all three groups`);
}

const ACCEPTED_FAULTS: ReadonlySet<string> = new Set(['none', 'parameter', 'missing', 'permission']);

function judgeAlike(view: View): Opinion {
  const comparable = view.answers.filter(
    (each) => ACCEPTED_FAULTS.has(each.fault) && each.variation === null && each.status !== 429 && each.status < 500,
  );
  const cases = groupBy(comparable, (each) => `${each.operation}, ${each.fault}, ${each.key}`);
  const findings = new Map<string, Finding>();
  for (const own of cases.values()) {
    const one = own.filter((each) => each.credential === 'x-api-key');
    const other = own.filter((each) => each.credential === 'bearer');
    const [a] = one;
    const [b] = other;
    if (!a || !b) continue;
    const name = a.operation ?? '';
    const statuses = new Set(one.map((each) => answerClass(each.status)));
    const alike = other.some((each) => statuses.has(answerClass(each.status)));
    if (findings.get(name)?.verdict === 'fail') continue;
    findings.set(
      name,
      alike
        ? {
            name,
            verdict: 'pass',
            witnesses: (findings.get(name)?.witnesses ?? 0) + one.length + other.length,
            summary: 'answered alike',
          }
        : {
            name,
            verdict: 'fail',
            witnesses: one.length + other.length,
            summary: `${a.status} with X-API-Key, ${b.status} with Authorization: Bearer`,
            proofs: [
              proofOf({
                part: name,
                expected: 'the same answer with either header',
                received: `${a.status} and ${b.status}`,
                evidence: [a, b],
                argument: [
                  `${describe(a)} was answered ${a.status}.`,
                  `${describe(b)} differs in the header alone, and was answered ${b.status}: the two are options for the same thing (clause 5.2).`,
                ],
              }),
            ],
          },
    );
  }
  return combine('AUTH-7', [...findings.values()], 'every operation tried both ways was answered alike', {
    remedy: 'certify with at least one full key, so that operations are tried with both headers',
  });
}

/** Successes count as one answer: which of them is STATUS-200's to judge. */
function answerClass(code: number): number {
  return isSuccess(code) ? 200 : code;
}
