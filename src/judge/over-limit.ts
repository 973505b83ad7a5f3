import type { Exchange, Kind } from '../trace/exchange.ts';
import { budgetKey } from '../trace/exchange.ts';
import { combine, describe, type Finding, groupBy, proofOf } from './parts.ts';
import type { Opinion } from './verdict.ts';
import { type Answered, isOfProfile, isPlain, isSuccess, type View } from './view.ts';

const LIMITS: Readonly<Record<Kind, number>> = { read: 100, write: 30 };
const WINDOW_US = 60_000_000;

/** So many refusals in a row, all alike, are no accident of one request. */
const IN_A_ROW = 3;

/**
 * STATUS-429: a request over the limit answers 429. That the limit stands where it should is the window oracle's to judge; here it is
 * only asked with which status a target refuses: 429, or, once a whole limit of requests has succeeded within a minute, another one again
 * and again for the very operation that had just succeeded.
 */
export function judgeOverLimit(view: View, limits: readonly Opinion[]): Opinion {
  const charged = view.answers.filter((each) => budgetKey(each) !== null);
  const neverRefused = charged.every((each) => each.status !== 429);
  const findings = (['read', 'write'] as const).flatMap((kind): Finding[] => {
    const own = charged.filter((each) => each.kind === kind);
    const refusals = own.filter((each) => each.status === 429).length;
    const wrong = [...groupBy(own.filter(isPlain), (each) => each.key).values()].flatMap(
      (budget) => refusedOtherwise(budget, kind) ?? [],
    );
    const [first] = wrong;
    if (first) return [first];
    const passed = neverRefused ? letThrough(own, kind, limits) : null;
    if (passed) return [passed];
    return refusals > 0 ? [{ name: kind, verdict: 'pass', witnesses: refusals, summary: `429 on ${refusals}` }] : [];
  });
  if (findings.length > 0) return combine('STATUS-429', findings, 'whatever was refused over the limit answered 429');
  const reached = (['read', 'write'] as const).some((kind) =>
    exceeds(
      charged.filter((each) => each.kind === kind),
      kind,
    ),
  );
  return reached
    ? {
        id: 'STATUS-429',
        verdict: 'inconclusive',
        summary:
          'more requests than a limit succeeded, and none was refused: whether one of them was over it, LIMIT-R and LIMIT-W say',
        remedy: 'see LIMIT-R and LIMIT-W',
      }
    : {
        id: 'STATUS-429',
        verdict: 'not tested',
        summary: 'no budget was spent',
        remedy: view.omission('STATUS-429') ?? 'certify, which spends budgets',
      };
}

/** Whether more than a limit's number of requests succeeded on one key: in how many windows is not asked. */
function exceeds(charged: readonly Answered[], kind: Kind): boolean {
  const spent = charged.filter((each) => isOfProfile(each) && isSuccess(each.status));
  return [...groupBy(spent, (each) => each.key).values()].some((own) => own.length > LIMITS[kind]);
}

function letThrough(charged: readonly Answered[], kind: Kind, limits: readonly Opinion[]): Finding | null {
  const threshold = limits.find((each) => each.id === (kind === 'read' ? 'LIMIT-R' : 'LIMIT-W'));
  if (threshold?.verdict !== 'fail' || !exceeds(charged, kind)) return null;
  return {
    name: kind,
    verdict: 'fail',
    witnesses: charged.length,
    summary: `no request was answered 429, though more than ${LIMITS[kind]} were let through in a window (${threshold.id})`,
    proofs: (threshold.proofs ?? []).map((proof) => ({ ...proof, part: kind })),
  };
}

function refusedOtherwise(budget: readonly Answered[], kind: Kind): Finding | null {
  const limit = LIMITS[kind];
  const successes: Answered[] = [];
  const succeeded = new Set<string | null>();
  let run: Answered[] = [];
  for (const each of budget) {
    if (isSuccess(each.status) || each.status === 429) {
      run = [];
      if (each.status !== 429) {
        successes.push(each);
        succeeded.add(each.operation);
      }
      continue;
    }
    const [first] = run;
    if (first ? first.status === each.status : spentBefore(successes, each, limit) && succeeded.has(each.operation))
      run.push(each);
    const [start] = run;
    const last = successes.at(-1);
    if (start && last && run.length >= IN_A_ROW) return otherStatus(kind, limit, last, start, run);
  }
  return null;
}

/** Whether at least a limit of successes fell within the minute before this request. */
function spentBefore(successes: readonly Answered[], request: Exchange, limit: number): boolean {
  const first = successes.at(-limit);
  return (
    first !== undefined &&
    first.sent >= request.sent - WINDOW_US &&
    successes.slice(-limit).every((each) => each.answered <= request.sent)
  );
}

function otherStatus(kind: Kind, limit: number, last: Answered, start: Answered, run: readonly Answered[]): Finding {
  return {
    name: kind,
    verdict: 'fail',
    witnesses: run.length,
    summary: `refused with ${start.status} over the limit`,
    proofs: [
      proofOf({
        part: kind,
        expected: '429',
        received: String(start.status),
        evidence: [last, ...run],
        argument: [
          `${describe(last)} succeeded, the last of at least ${limit} successes within one minute.`,
          `From #${start.seq} on, ${run.length} requests in a row were answered ${start.status}, with nothing wrong in them: over the limit the status is 429 (clause 8.1).`,
        ],
      }),
    ],
  };
}
