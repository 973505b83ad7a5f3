import { badKeyNamed } from '../catalogue/key-states.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import type { Probe } from '../profile/profile.ts';
import { condensedCount } from '../trace/condensed.ts';
import { type Exchange, type Fault, isSuccess } from '../trace/exchange.ts';
import { judgePermission, unauthorizedWithBadKey, unauthorizedWithoutKey } from './authentication.ts';
import { type Due, judgeDue, status } from './due.ts';
import { judgeOverLimit } from './over-limit.ts';
import { combine, describe, type Finding, failing, groupBy, on, proofPerKind, unsettled } from './parts.ts';
import { toPrepare, toSucceed } from './to-succeed.ts';
import type { Opinion, Proof } from './verdict.ts';
import { type Answered, type AnswerJudge, isOfProfile, isPlain, STATUSES, type View } from './view.ts';

const invalidParameter = status(
  400,
  'requests with an invalid parameter',
  'a parameter is invalid, so the status must be 400 (clause 7).',
  'add a probe to probes.invalid_parameter of the profile',
);
const notFound = status(
  404,
  'requests for a thing that does not exist',
  'the requested thing does not exist, so the status must be 404 (clause 7).',
  'add a probe to probes.not_found of the profile',
);
const internalFailure = status(
  500,
  'internal failures',
  'the service failed internally, so the status must be 500 (clause 7).',
  'add a probe to probes.internal_failure of the profile if you know a way to provoke an internal failure',
);

/**
 * STATUS-*: what the status code of a response reports. Whether a request was over the limit is the window oracle's to
 * say.
 */
export const STATUS_JUDGES: readonly AnswerJudge[] = [
  { ids: ['STATUS-200'], judge: (view) => [judgeSuccess(view)] },
  { ids: ['STATUS-400'], judge: (view) => [judgeProvoked(view, 'STATUS-400', 'parameter', invalidParameter)] },
  { ids: ['STATUS-401'], judge: (view) => [judgeUnauthorized(view)] },
  {
    ids: ['STATUS-403'],
    judge: (view) => [
      follows(['AUTH-6'], combine('STATUS-403', judgePermission(view), '403 wherever permission was lacking')),
    ],
  },
  { ids: ['STATUS-404'], judge: (view) => [judgeProvoked(view, 'STATUS-404', 'missing', notFound)] },
  { ids: ['STATUS-429'], judge: (view, limits) => [judgeOverLimit(view, limits)] },
  { ids: ['STATUS-500'], judge: (view) => [judgeProvoked(view, 'STATUS-500', 'internal', internalFailure)] },
  { ids: ['STATUS-SET'], judge: (view) => [judgeSet(view)] },
  { ids: ['STATUS-NO5XX'], judge: (view) => [judgeServerErrors(view)] },
];

function judgeSuccess(view: View): Opinion {
  const byOperation = groupBy(view.answers, (each) => each.operation ?? '');
  const findings = [...byOperation].map(([name, own]): Finding => {
    const odd = own.filter(
      (each) => (each.fault === 'none' || each.fault === 'unstated') && isSuccess(each.status) && each.status !== 200,
    );
    const said = own.filter((each) => each.fault === 'none' && each.status === 200);
    const good = said.filter((each) => !each.truncated).length;
    if (odd.length > 0) {
      const proofs = firstOfEachStatus(odd, name, '200', 'it succeeded, so the status must be 200 (clause 7).');
      const failure = on(`success is answered with ${odd[0]?.status}, not 200`);
      return failing(name, odd.length + good, failure, proofs, {
        wrong: odd,
        right: said,
        situations: view.situations,
      });
    }
    if (good > 0) return { name, verdict: 'pass', witnesses: good, summary: `200 on ${good}` };
    const [broken] = said;
    if (broken) {
      return unsettled(
        name,
        `${describe(broken)} was answered 200, but no such answer was complete`,
        'find out why bodies break off or do not end in time, and run again',
      );
    }
    const plain = own.find(isPlain);
    if (!plain)
      return { name, verdict: 'not tested', witnesses: 0, summary: 'not tried with a valid key', optional: true };
    return unsettled(name, `never succeeded: ${describe(plain)} was answered ${plain.status}`, toSucceed(view, name));
  });
  return combine('STATUS-200', findings, 'every success was answered 200', {
    remedy: 'run with at least one full key',
  });
}

function judgeProvoked(view: View, id: RequirementId, fault: Fault, due: Due): Opinion {
  const probes = view.exchanges.filter((each) => isOfProfile(each) && each.fault === fault);
  const findings = [...groupBy(probes, (each) => each.operation ?? '')].map(([name, own]) =>
    judgeDue(view, name, own, due),
  );
  return combine(
    id,
    findings.length > 0
      ? findings
      : [judgeDue(view, due.expected, [], { ...due, remedy: toProvoke(view, fault) ?? due.remedy })],
    `${due.expected} wherever it was due`,
  );
}

/**
 * What to do so that the probes that the profile names for a fault can be sent; null where it names none, or they could
 * be.
 */
function toProvoke(view: View, fault: Fault): string | null {
  const { invalidParameter, notFound, internalFailure } = view.trace.header.profile.probes;
  const lists: Partial<Record<Fault, readonly Probe[]>> = {
    parameter: invalidParameter,
    missing: notFound,
    internal: internalFailure,
  };
  return (lists[fault] ?? []).map(({ operation }) => toPrepare(view, operation)).find((each) => each !== null) ?? null;
}

function judgeUnauthorized(view: View): Opinion {
  const of = (matches: (exchange: Exchange) => boolean) =>
    view.exchanges.filter((each) => isOfProfile(each) && matches(each));
  const keyless = of((each) => each.fault === 'no-key');
  // What a revoked key gets is not stated (clause 5), so it is no evidence.
  const bad = of((each) => {
    const refusedByHttp = each.status === 400 && badKeyNamed(each.variation)?.malformed === true;
    return each.fault === 'bad-key' && each.variation !== 'revoked' && !refusedByHttp;
  });
  const parts = [
    ['AUTH-4', asAWhole(judgeDue(view, 'no key', keyless, unauthorizedWithoutKey))],
    ['AUTH-5', asAWhole(judgeDue(view, 'key not accepted', bad, unauthorizedWithBadKey))],
  ] as const;
  const opinion = combine(
    'STATUS-401',
    parts.map(([, finding]) => finding),
    '401 wherever no key was accepted',
  );
  return follows(
    parts.flatMap(([id, { verdict }]) => (verdict === 'fail' ? [id] : [])),
    opinion,
  );
}

/** An opinion that sums up what these requirements say of the same answers: its failure is theirs. */
function follows(ids: readonly RequirementId[], opinion: Opinion): Opinion {
  return opinion.verdict === 'fail' ? { ...opinion, followsFrom: ids } : opinion;
}

/** Of a part whose failure says by itself what it is about. */
function asAWhole(finding: Finding): Finding {
  const { failure } = finding;
  return failure ? { ...finding, summary: failure(''), failure: () => failure('') } : finding;
}

function judgeSet(view: View): Opinion {
  const outside = view.answers.filter((each) => !STATUSES.includes(each.status));
  return universal(view, 'STATUS-SET', outside, {
    expected: 'one of 200, 400, 401, 403, 404, 429, 500',
    wrong: 'which is not one of the seven statuses of clause 7',
    argument: 'the table of clause 7 has no such status.',
    passed: `every status is one of the seven of clause 7 (${answersOf(view)} answers)`,
  });
}

function judgeServerErrors(view: View): Opinion {
  const errors = view.answers.filter((each) => each.status >= 500 && each.fault !== 'internal');
  return universal(view, 'STATUS-NO5XX', errors, {
    expected: 'no 5xx, because nothing was done to provoke a failure',
    wrong: 'though no probe of the profile was to make the service fail',
    argument: 'nothing in the request is meant to make the service fail (clause 7).',
    passed: `no request was answered 5xx (${answersOf(view)} answers)`,
  });
}

/** How many answers there are to operations of the profile. */
function answersOf({ answers, trace }: View): number {
  return answers.length + condensedCount(trace.condensed);
}

interface Universal {
  readonly expected: string;
  /** What is wrong with such a status. */
  readonly wrong: string;
  readonly argument: string;
  readonly passed: string;
}

/** A statement about every answer: broken by any one of them, and shown by no fewer than the catalogue asks for. */
function universal(view: View, id: RequirementId, broken: readonly Answered[], words: Universal): Opinion {
  const parts = groupBy(broken, (each) => String(each.status));
  const all = new Set(broken);
  const findings = [...parts].map(([name, own]) => {
    const faults = new Set(own.map(({ fault }) => fault));
    // What only faulty requests get is compared with other answers to such requests.
    const isRight = faults.has('none')
      ? ({ status, fault }: Answered): boolean => isSuccess(status) && fault === 'none'
      : (each: Answered): boolean => faults.has(each.fault) && !all.has(each);
    const requests = own.length === 1 ? 'a request was' : `${own.length} requests were`;
    const failure = (): string => `${requests} answered ${name}, ${words.wrong}`;
    const proofs = firstOfEachStatus(own, name, words.expected, words.argument);
    return failing(name, own.length, failure, proofs, {
      wrong: own,
      right: view.answers.filter(isRight),
      situations: view.situations,
    });
  });
  if (findings.length > 0) return combine(id, findings, words.passed, { witnesses: answersOf(view) });
  const verdict = answersOf(view) > 0 ? 'pass' : 'not tested';
  return {
    id,
    verdict,
    summary: verdict === 'pass' ? words.passed : 'no operation of the profile was answered',
    witnesses: answersOf(view),
    remedy: verdict === 'pass' ? null : 'add operations to the profile',
  };
}

function firstOfEachStatus(wrong: readonly Answered[], part: string, expected: string, argument: string): Proof[] {
  return proofPerKind(
    wrong,
    (each) => each.status,
    (first, code) => ({
      part,
      expected,
      received: String(code),
      evidence: [first],
      argument: [`${describe(first)} was answered ${code}: ${argument}`],
    }),
  );
}
