import { LIMITS } from '../catalogue/limits.ts';
import { nameCountdown } from '../oracle/diagnose/countdown.ts';
import { condensedCount } from '../trace/condensed.ts';
import { budgetKey, type Kind } from '../trace/exchange.ts';
import { integerOf, LARGE } from './fields.ts';
import { unread } from './headers.ts';
import { combine, count, describe, type Finding, failing, proofPerKind, share, unique } from './parts.ts';
import type { Opinion } from './verdict.ts';
import type { Answered, AnswerJudge, View } from './view.ts';

/** HDR-3 and HDR-6: what the values of one answer say by themselves, where they can be read. */
export const VALUE_JUDGES: readonly AnswerJudge[] = [
  { ids: ['HDR-3'], judge: (view) => [judgeLimit(view)] },
  { ids: ['HDR-6'], judge: (view) => [judgeMarker(view)] },
];

function judgeLimit(view: View): Opinion {
  const findings = (['read', 'write'] as const).map((kind) => limitOn(view, kind));
  return combine('HDR-3', findings, `${LIMITS.read} on reads, ${LIMITS.write} on writes`);
}

function limitOn(view: View, kind: Kind): Finding {
  // A 401 belongs to no budget, and of a request whose outcome is not stated it is not known to which key it went.
  const owned = (each: Answered): boolean =>
    each.kind === kind && budgetKey(each) !== null && each.status !== 401 && each.fault !== 'unstated';
  const readable = (each: Answered): boolean => owned(each) && integerOf(each.headers.limit) !== null;
  const witnesses = count(view.answers, readable) + condensedCount(view.trace.condensed, undefined, [kind]);
  const due = BigInt(LIMITS[kind]);
  const wrong = view.answers.filter((each) => readable(each) && integerOf(each.headers.limit) !== due);
  if (wrong.length > 0) {
    const values = unique(wrong.map((each) => String(integerOf(each.headers.limit))));
    const seen = `X-RateLimit-Limit is ${values.slice(0, 3).join(', ')}, not ${due}`;
    return failing(
      kind,
      witnesses,
      () => `${seen}, on ${share(wrong.length, witnesses)} to ${kind} operations`,
      proofPerKind(
        wrong,
        (each) => String(integerOf(each.headers.limit)),
        (first, value) => ({
          part: kind,
          expected: String(due),
          received: value,
          evidence: [first],
          argument: [
            `The profile names ${first.operation} as a ${kind} operation, to which the limit of ${due} applies (clause 8).`,
            `${describe(first)} was answered ${first.status} with X-RateLimit-Limit ${value}.`,
          ],
        }),
      ),
    );
  }
  if (witnesses > 0) return { name: kind, verdict: 'pass', witnesses, summary: `${due} on all ${witnesses}` };
  return view.answers.some(owned)
    ? { ...unread(view, 'X-RateLimit-Limit', 'none can be read (HDR-1, HDR-2)'), name: kind }
    : {
        name: kind,
        verdict: 'not tested',
        witnesses,
        summary: `no ${kind} operation was answered to a valid key`,
        remedy: `name a ${kind} operation in the profile`,
      };
}

function judgeMarker(view: View): Opinion {
  const name = 'X-RateLimit-Reset';
  const seen = count(view.answers, (each) => integerOf(each.headers.reset) !== null);
  const witnesses = seen + condensedCount(view.trace.condensed);
  const small = view.answers.filter((each) => (integerOf(each.headers.reset) ?? LARGE) < LARGE);
  const passed = `every marker is at least ${LARGE}`;
  if (small.length === 0) {
    const finding: Finding =
      witnesses > 0
        ? { name, verdict: 'pass', witnesses, summary: `large on all ${witnesses}` }
        : unread(view, name, 'no marker can be read (HDR-1, HDR-2)');
    return combine('HDR-6', [finding], passed);
  }
  const proofs = proofPerKind(
    small,
    (each) => each.status,
    (first) => ({
      part: name,
      expected: `a large integer, at least ${LARGE}`,
      received: String(integerOf(first.headers.reset)),
      evidence: [first],
      argument: [
        `${describe(first)} was answered ${first.status} with ${name} ${integerOf(first.headers.reset)}: a time marker is a large integer (clause 8.2), and this marks no point in time.`,
      ],
    }),
  );
  const diagnosis = nameCountdown(small);
  const failure = (): string => `${name} is less than ${LARGE} on ${share(small.length, witnesses)}: no point in time`;
  return combine(
    'HDR-6',
    [
      failing(
        name,
        witnesses,
        failure,
        proofs.map((each) => ({ ...each, diagnosis })),
      ),
    ],
    passed,
  );
}
