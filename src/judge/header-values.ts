import { LIMITS } from '../catalogue/limits.ts';
import { nameCountdown } from '../oracle/diagnose/countdown.ts';
import { condensedCount } from '../trace/condensed.ts';
import { budgetKey, type Kind, otherThan } from '../trace/exchange.ts';
import { integerOf, LARGE } from './fields.ts';
import { besideRight, unread } from './headers.ts';
import { operationNames } from './lacking.ts';
import { combine, count, describe, type Finding, failing, onAll, proofPerKind, share, unique } from './parts.ts';
import type { Opinion } from './verdict.ts';
import type { Answered, AnswerJudge, View } from './view.ts';

/** HDR-3 and HDR-6: what the values of one answer say by themselves, where they can be read. */
export const VALUE_JUDGES: readonly AnswerJudge[] = [
  { ids: ['HDR-3'], judge: (view) => [judgeLimit(view)] },
  { ids: ['HDR-6'], judge: (view) => [judgeMarker(view)] },
];

function judgeLimit(view: View): Opinion {
  const findings = (['read', 'write'] as const).map((kind) => limitOn(view, kind));
  const opinion = combine('HDR-3', findings, `${LIMITS.read} on reads, ${LIMITS.write} on writes`);
  return opinion.verdict === 'fail' ? { ...opinion, remedy: toCorrect(view) } : opinion;
}

/** What usually makes a deployment give such limits as are seen, and what to do. */
function toCorrect({ answers }: View): string {
  const own = answers.filter((each) => isOwned(each) && integerOf(each.headers.limit) !== null);
  const limit = (each: Answered): bigint => BigInt(LIMITS[each.kind]);
  const wrong = own.filter((each) => integerOf(each.headers.limit) !== limit(each));
  const isOther = (each: Answered): boolean => integerOf(each.headers.limit) === BigInt(LIMITS[otherThan(each.kind)]);
  if (wrong.every(({ status }) => status === 429)) {
    return 'Usually another component writes the refusals, and knows another limit or none. Send the limit that was reached with each refusal.';
  }
  if (wrong.every(isOther)) {
    const kinds = new Set(wrong.map(({ kind }) => kind));
    const all = own.filter(({ kind }) => kinds.has(kind)).length === wrong.length;
    const sort = ({ operation, fault }: Answered): string => `${operation} ${fault}`;
    const sorts = new Set(wrong.map(sort));
    const right = own.filter((each) => !isOther(each) && sorts.has(sort(each)));
    const ways = new Set(wrong.map(({ credential }) => credential));
    if (right.length > 0 && right.every(({ credential }) => !ways.has(credential)))
      return 'Usually requests with the key in this header pass a limiter of their own. Let both headers lead to the same one.';
    if (right.length > 0)
      return 'Usually the limiter stores its decision where another request overwrites it before the answer is written. Store the decision with its own request.';
    if (wrong.every(({ fault }) => fault !== 'none'))
      return 'Usually the limit is looked up with the resource or the route, and such a request finds none, so that it gets the limit of the other kind. Take the kind from the operation.';
    return all
      ? 'Usually one limiter with one limit covers both kinds, or the limit of the last limiter in a chain wins. Send the limit of the policy that decided about this request.'
      : `Usually the deployment treats some operations as reads that the profile calls writes, or the other way round. Check \`kind\` of ${operationNames(new Set(wrong.flatMap(({ operation }) => operation ?? [])))} in the profile. If it is right, let the deployment count them under that limit.`;
  }
  return 'Usually the limiter has another limit, or the header shows a different policy than the one that refuses. Set the limits to 100 reads and 30 writes, and send the limit that decided about this request.';
}

/** A 401 belongs to no budget, and of a request whose outcome is not stated it is not known to which key it went. */
function isOwned(each: Answered): boolean {
  return budgetKey(each) !== null && each.status !== 401 && each.fault !== 'unstated';
}

function limitOn(view: View, kind: Kind): Finding {
  const owned = (each: Answered): boolean => each.kind === kind && isOwned(each);
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
            `The profile calls ${first.operation} a ${kind} operation, so the limit of ${due} applies (clause 8).`,
            `${describe(first)} was answered ${first.status} with X-RateLimit-Limit ${value}.`,
          ],
        }),
      ),
      besideRight(wrong, view.answers.filter(readable), view),
    );
  }
  if (witnesses > 0) return { name: kind, verdict: 'pass', witnesses, summary: `${due} ${onAll(witnesses)}` };
  return view.answers.some(owned)
    ? { ...unread(view, 'X-RateLimit-Limit', 'no value can be read (HDR-1, HDR-2)'), name: kind }
    : {
        name: kind,
        verdict: 'not tested',
        witnesses,
        summary: `no ${kind} operation with a valid key was answered`,
        remedy: view.trace.header.profile.operations.some((each) => each.kind === kind)
          ? `find out why no ${kind} operation was answered with a valid key (doctor shows each answer)`
          : `add a ${kind} operation to the profile`,
      };
}

function judgeMarker(view: View): Opinion {
  const name = 'X-RateLimit-Reset';
  const seen = count(view.answers, (each) => integerOf(each.headers.reset) !== null);
  const witnesses = seen + condensedCount(view.trace.condensed);
  const small = view.answers.filter((each) => (integerOf(each.headers.reset) ?? LARGE) < LARGE);
  const passed = `every X-RateLimit-Reset is at least ${LARGE}`;
  if (small.length === 0) {
    const finding: Finding =
      witnesses > 0
        ? { name, verdict: 'pass', witnesses, summary: `large ${onAll(witnesses)}` }
        : unread(view, name, 'no X-RateLimit-Reset can be read (HDR-1, HDR-2)');
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
        `${describe(first)} was answered ${first.status} with ${name} ${integerOf(first.headers.reset)}: a time marker is a large integer (clause 8.2), but this value marks no point in time.`,
      ],
    }),
  );
  const diagnosis = nameCountdown(small);
  const failure = (): string =>
    `${name} is less than ${LARGE} on ${share(small.length, witnesses)}, so it is not a point in time`;
  return combine(
    'HDR-6',
    [
      failing(
        name,
        witnesses,
        failure,
        proofs.map((each) => ({ ...each, diagnosis })),
        besideRight(
          small,
          view.answers.filter(({ headers }) => integerOf(headers.reset) !== null),
          view,
        ),
      ),
    ],
    passed,
  );
}
