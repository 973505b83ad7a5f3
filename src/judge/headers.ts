import type { RequirementId } from '../catalogue/requirement.ts';
import { condensedCount } from '../trace/condensed.ts';
import type { Fault } from '../trace/exchange.ts';
import type { Compared } from './contrast.ts';
import { FIELDS, flawOf, integerOf, isGrouped, quote } from './fields.ts';
import { ALL_NAMES, inShort, lackingAnyhow, lackingOperations, lackingWith, missing } from './lacking.ts';
import {
  combine,
  count,
  describe,
  type Finding,
  failing,
  groupBy,
  onAll,
  proofPerKind,
  share,
  unique,
  untested,
} from './parts.ts';
import { toCertify, toForbid } from './to-succeed.ts';
import type { Opinion } from './verdict.ts';
import { type Answered, type AnswerJudge, STATUSES, type View } from './view.ts';

/** What to add so that some request is answered with this status. */
const WITNESS_REMEDY: Readonly<Record<number, string>> = {
  200: 'add operations that succeed to the profile',
  400: 'add a probe to probes.invalid_parameter of the profile',
  401: 'select AUTH-4, so that requests without a key are sent',
  404: 'add a probe to probes.not_found of the profile',
  500: 'add a probe to probes.internal_failure of the profile if you know a way to provoke an internal failure',
};

const CERTIFY = 'run certify, which spends budgets';

/** What a request is to be answered so for, and what judges whether it is. */
const DUE: Readonly<Record<number, { readonly fault: Fault; readonly judgedBy: RequirementId }>> = {
  400: { fault: 'parameter', judgedBy: 'STATUS-400' },
  401: { fault: 'no-key', judgedBy: 'AUTH-4' },
  403: { fault: 'permission', judgedBy: 'AUTH-6' },
  404: { fault: 'missing', judgedBy: 'STATUS-404' },
  500: { fault: 'internal', judgedBy: 'STATUS-500' },
};

/** HDR-1 and HDR-2: the three headers are on every answer, whoever asked, and each is one integer. */
export const HEADER_JUDGES: readonly AnswerJudge[] = [
  { ids: ['HDR-1'], judge: (view) => [judgePresence(view)] },
  { ids: ['HDR-2'], judge: (view) => [judgeForm(view)] },
];

function judgePresence(view: View): Opinion {
  const classes = groupBy(view.answers, (each) => each.status);
  const findings = STATUSES.map((code) => presenceOn(code, classes.get(code) ?? [], view));
  const beyond = view.answers.filter((each) => !STATUSES.includes(each.status) && missing(each) !== '');
  const opinion = combine('HDR-1', findings, 'every answer carries the three headers', {
    notes:
      beyond.length === 0
        ? []
        : [
            `${beyond.length} answers with a status outside clause 7 also lack a header; STATUS-SET judges those statuses`,
          ],
  });
  if (opinion.verdict !== 'fail') return opinion;
  const failed = findings.filter(({ verdict }) => verdict === 'fail');
  const said = lackingOperations(view.answers) ?? lackingAnyhow(failed, view.answers);
  const lacks = new Set(view.answers.map(missing));
  const isPartly = lacks.has('') && !lacks.has(ALL_NAMES);
  return { ...opinion, ...said, ...(isPartly && { remedy: INCOMPLETE }) };
}

/**
 * Where some answers have all of the headers, and every other one some: something writes them on each, and forgets one.
 */
const INCOMPLETE =
  'Usually each branch of the code writes the headers itself, and one branch leaves one out. Set the three headers together, in one place that every response passes on its way out.';

/** What to do so that a status is answered that the run did not provoke. */
function toProvoke(code: number, view: View): string {
  if (code === 429) return toCertify(view, CERTIFY);
  if (view.trace.header.command === 'property') return 'run certify: property provokes no such answer';
  return code === 403 ? toForbid(view) : (WITNESS_REMEDY[code] ?? '');
}

function presenceOn(code: number, answers: readonly Answered[], view: View): Finding {
  const name = String(code);
  const witnesses = answers.length;
  // No client can provoke an internal failure from outside, so none need be seen.
  const optional = code === 500;
  if (witnesses === 0) {
    const due = DUE[code];
    const tried = due ? view.answers.filter(({ fault }) => fault === due.fault) : [];
    const met = unique(tried.map(({ status }) => `${status}`)).sort();
    const remedy =
      due && tried.length > 0
        ? `look at ${due.judgedBy} first: what should be answered ${code} was answered ${met.join(', ')}`
        : toProvoke(code, view);
    const verdict = tried.length > 0 ? 'inconclusive' : 'not tested';
    return { name, verdict, witnesses, summary: `no answer had status ${code}`, remedy, optional };
  }
  const lacking = answers.filter((each) => missing(each) !== '');
  if (lacking.length === 0) return { name, verdict: 'pass', witnesses, summary: onAll(witnesses), optional };
  return failing(
    name,
    witnesses,
    lackingWith(name, lacking, answers),
    proofPerKind(lacking, missing, (first, names) => ({
      part: name,
      expected: 'the three headers',
      received: `no ${names}`,
      evidence: [first],
      argument: [
        `${describe(first)} was answered ${code} without ${inShort(names)}: every response carries ${names === ALL_NAMES ? 'them' : 'the three headers'} (clause 8.2).`,
      ],
    })),
    {
      wrong: lacking,
      right: answers.filter((each) => missing(each) === ''),
      situations: view.situations,
      isPlaced: true,
    },
  );
}

const FORMATTED =
  'Usually the number is formatted as for a person, in the language of the process, with separators between thousands. Print the plain digits.';

function judgeForm(view: View): Opinion {
  const findings = FIELDS.map(({ field, name }): Finding => {
    const seen = count(view.answers, (each) => each.headers[field].length > 0);
    const witnesses = seen + condensedCount(view.trace.condensed);
    const wrong = view.answers.filter(({ headers }) => headers[field].length > 0 && integerOf(headers[field]) === null);
    if (wrong.length > 0) {
      return failing(
        name,
        witnesses,
        (names) =>
          `${names} ${names.includes(' and ') ? 'are not single integers' : 'is not a single integer'} on ${share(wrong.length, witnesses)}`,
        proofPerKind(
          wrong,
          (each) => flawOf(each.headers[field]),
          (first, flaw) => ({
            part: name,
            expected: 'a single integer in decimal digits',
            received: quote(first.headers[field]),
            evidence: [first],
            argument: [`${name} of ${describe(first)} is ${quote(first.headers[field])}, ${flaw} (clause 8.2).`],
          }),
        ),
        besideRight(
          wrong,
          view.answers.filter(({ headers }) => headers[field].length > 0),
          view,
        ),
      );
    }
    return witnesses > 0
      ? { name, verdict: 'pass', witnesses, summary: `an integer ${onAll(witnesses)}` }
      : unread(view, name, 'no answer carries it (HDR-1)');
  });
  const opinion = combine('HDR-2', findings, 'each header is one integer on every answer that has it', {
    witnesses: Math.min(...findings.map((each) => each.witnesses)),
  });
  const wrong = view.answers.flatMap(({ headers }) =>
    FIELDS.map(({ field }) => headers[field]).filter((lines) => lines.length > 0 && integerOf(lines) === null),
  );
  return wrong.length > 0 && wrong.every(isGrouped) ? { ...opinion, remedy: FORMATTED } : opinion;
}

/** A header of which there is nothing to judge: the target's doing where it answered, else the profile's. */
export function unread(view: View, name: string, summary: string): Finding {
  return view.answers.length === 0
    ? untested(name, 'no request was answered', 'add operations to the profile')
    : {
        name,
        verdict: 'inconclusive',
        witnesses: 0,
        summary,
        remedy: `send ${name} with every response, as a single integer`,
      };
}

/**
 * Answers with a header that is wrong, and the others among those where it can be read. Undefined where right ones may
 * have been left out of the trace.
 */
export function besideRight(wrong: readonly Answered[], all: readonly Answered[], view: View): Compared | undefined {
  if (view.trace.condensed) return undefined;
  const isWrong = new Set(wrong);
  return { wrong, right: all.filter((each) => !isWrong.has(each)), situations: view.situations, byStatus: true };
}
