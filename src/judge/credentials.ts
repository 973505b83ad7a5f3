import type { RequirementId } from '../catalogue/requirement.ts';
import { type Exchange, GROUPS, isSuccess } from '../trace/exchange.ts';
import { missingGroup } from './authentication.ts';
import {
  combine,
  describe,
  type Finding,
  failing,
  groupBy,
  on,
  proofOf,
  unique,
  unsettled,
  untested,
} from './parts.ts';
import { toCertify, toSucceed } from './to-succeed.ts';
import type { Opinion } from './verdict.ts';
import { type Answered, isOfProfile, isPlain, type View } from './view.ts';

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
    if (isPlain(each) && isSuccess(each.status) && !accepted.has(asked(each))) accepted.set(asked(each), each);
  }
  const alsoInTheOther = new Set(view.answers.filter((each) => isPlain(each) && each.credential !== way).map(answerTo));
  const worksAnywhere = plain.some((each) => isSuccess(each.status));
  const findings = GROUPS.map((group): Finding => {
    if (!view.trace.header.profile.operations.some((each) => each.group === group)) return missingGroup(group);
    const own = plain.filter((each) => each.group === group);
    const passed = own.filter((each) => isSuccess(each.status));
    const works = new Set(passed.map((each) => each.operation));
    const refused = own.filter(
      (each) =>
        accepted.has(asked(each)) &&
        isRefusal(each, works, worksAnywhere) &&
        (each.status === 401 || !alsoInTheOther.has(answerTo(each))) &&
        !view.isDisturbed(each),
    );
    const [first] = refused;
    if (first) {
      const control = accepted.get(asked(first));
      return failing(
        group,
        refused.length + passed.length,
        on(`a valid key in ${words} is answered ${first.status}`),
        [
          proofOf({
            part: group,
            expected: `a valid key in ${words} is accepted`,
            received: String(first.status),
            count: refused.length,
            evidence: control ? [control, first] : [first],
            argument: [
              ...(control ? [`${describe(control)} succeeded (${control.status}), so the key is valid.`] : []),
              `${describe(first)} was answered ${first.status}, but this is one of the two ways to send a key (clause 5.2).`,
            ],
          }),
        ],
        { wrong: refused, right: passed, situations: view.situations },
      );
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
      ? untested(
          group,
          `the run tried no operation with ${words}`,
          toCertify(view, `select ${id}, and run again with at least one full key`),
        )
      : // Any other answer than 401 speaks of the request, and not of the key.
        unsettled(
          group,
          `no operation of this group succeeded with ${words}`,
          own.some(({ status }) => status === 401)
            ? 'check that SIZE_CHART_KEYS contains valid keys'
            : unique(own.flatMap(({ operation }) => operation ?? []))
                .map((each) => toSucceed(view, each))
                .join('; '),
        );
  });
  const opinion = combine(id, findings, `a valid key in ${words} is accepted in all three groups`);
  const compared = findings.flatMap((each) => each.compared ?? []);
  const isAtTimes = compared.every(({ wrong, right }) => {
    const works = new Set(right.map(asked));
    return wrong.every((each) => works.has(asked(each)));
  });
  return opinion.verdict === 'fail' && isAtTimes ? { ...opinion, remedy: AT_TIMES } : opinion;
}

/** Which operation a request asked for, and with which key. */
function asked({ key, operation }: Exchange): string {
  return `${key} ${operation}`;
}

/** Where this header is read, since the same request with the same key succeeded at other times. */
const AT_TIMES =
  'Usually the store of the keys lacks some of them for a while, as a replica that is behind does, or a table that is emptied and loaded again. Replace the keys in one step, and ask again elsewhere before a key is rejected.';

/**
 * What the same request with the same key was answered: where the other header meets it too, it says nothing of this
 * one.
 */
function answerTo({ key, operation, status }: Exchange): string {
  return `${key} ${operation} ${status}`;
}

/**
 * Whether an answer to a key that is known to be good says that it was not accepted in this header: 401 does by its
 * meaning. 403 does where the operation never succeeds with this header, and any other client error where nothing at
 * all does. (Else the key is accepted, and answered otherwise: AUTH-7.)
 */
function isRefusal(
  { status, operation }: Exchange,
  works: ReadonlySet<string | null>,
  worksAnywhere: boolean,
): boolean {
  if (status === null || status < 400 || status >= 500 || status === 429) return false;
  return status === 401 || (status === 403 ? !works.has(operation) : !worksAnywhere);
}

const ACCEPTED_FAULTS: ReadonlySet<string> = new Set(['none', 'parameter', 'missing', 'permission']);

/** What a fault is answered whatever became of the thing that was asked for. */
const DUE: Readonly<Partial<Record<Exchange['fault'], number>>> = { parameter: 400, missing: 404 };

function judgeAlike(view: View): Opinion {
  const comparable = view.answers.filter(
    (each) =>
      ACCEPTED_FAULTS.has(each.fault) &&
      each.variation === null &&
      each.status !== 429 &&
      each.status < 500 &&
      (each.status === DUE[each.fault] || !view.isDisturbed(each)),
  );
  // Two probes of one operation are told apart by their names.
  const requestOf = ({ operation, fault, step }: Exchange): string =>
    `${operation}, ${fault}, ${fault === 'none' ? '' : step}`;
  const isByOthers = causedByOthers(view, comparable);
  const cases = groupBy(
    comparable.filter((each) => !isByOthers(each)),
    (each) => `${requestOf(each)}, ${each.key}`,
  );
  const seen = new Set(comparable.map((each) => `${requestOf(each)}, ${each.credential}, ${answerClass(each.status)}`));
  // What requests with the other header are answered, too, with any key, does not depend on the header.
  const isOfOneHeader = (each: (typeof comparable)[number]): boolean => {
    const other = each.credential === 'bearer' ? 'x-api-key' : 'bearer';
    return !seen.has(`${requestOf(each)}, ${other}, ${answerClass(each.status)}`);
  };
  const findings = new Map<string, Finding>();
  for (const own of cases.values()) {
    const one = own.filter((each) => each.credential === 'x-api-key');
    const other = own.filter((each) => each.credential === 'bearer');
    const [a] = one;
    const [b] = other;
    if (!a || !b) continue;
    const name = a.operation ?? '';
    const statuses = new Set(one.map((each) => answerClass(each.status)));
    const alike = other.some((each) => statuses.has(answerClass(each.status))) || !own.some(isOfOneHeader);
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
        : failing(
            name,
            one.length + other.length,
            on(`the same request is answered ${a.status} with X-API-Key, and ${b.status} with Authorization: Bearer`),
            [
              proofOf({
                part: name,
                expected: 'the same answer with either header',
                received: `${a.status} and ${b.status}`,
                evidence: [a, b],
                argument: [
                  `${describe(a)} was answered ${a.status}.`,
                  `${describe(b)} differs only in the header, but was answered ${b.status}: both headers mean the same (clause 5.2).`,
                ],
              }),
            ],
          ),
    );
  }
  return combine('AUTH-7', [...findings.values()], 'every operation tried both ways was answered alike', {
    remedy: toCertify(view, 'run certify with at least one full key: it tries operations with both headers'),
  });
}

/**
 * Says of an answer whether requests that were under way at the same time may have caused it, as one that holds a lock
 * does, and not the header: no request with this header was answered so alone, and others of its group were answered
 * otherwise.
 */
function causedByOthers({ situations }: View, answers: readonly Answered[]): (each: Answered) => boolean {
  const said = ({ credential, status }: Answered): string => `${credential} ${answerClass(status)}`;
  const sort = ({ credential, group, fault }: Answered): string => `${credential} ${group} ${fault}`;
  const alone = new Set(answers.filter((each) => !situations.besideOthers(each)).map(said));
  const sorts = groupBy(answers, sort);
  return (each) =>
    situations.besideOthers(each) &&
    !alone.has(said(each)) &&
    sorts.get(sort(each))?.some((other) => said(other) !== said(each)) === true;
}

/** Successes count as one answer: which of them is STATUS-200's to judge. */
function answerClass(code: number): number {
  return isSuccess(code) ? 200 : code;
}
