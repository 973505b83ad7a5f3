import { LIMITS } from '../catalogue/limits.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { condensedCount } from '../trace/condensed.ts';
import { budgetKey, isSuccess, type Kind } from '../trace/exchange.ts';
import { judgeBrokenOff } from './broken-off.ts';
import { combine, count, type Finding, failing } from './parts.ts';
import { unfinished } from './progress.ts';
import { isCharged, refusedOtherwise } from './refused-otherwise.ts';
import { toCertify } from './to-succeed.ts';
import type { Opinion } from './verdict.ts';
import type { View } from './view.ts';

const KINDS: readonly Kind[] = ['read', 'write'];

/**
 * STATUS-429: a request over the limit answers 429. That the limit stands where it should is the window oracle's to
 * judge; here it is only asked with which status a target refuses: 429, or, once a whole limit of requests has
 * succeeded within a minute or another operation was refused, another one again and again for the very operation that
 * had succeeded (refused-otherwise.ts), or none at all (broken-off.ts).
 */
export function judgeOverLimit(view: View, limits: readonly Opinion[]): Opinion {
  const { condensed } = view.trace;
  // In a run that ended early, a refusal may have been under way, or yet to come.
  const neverRefused =
    unfinished(view.trace, 'STATUS-429') === null &&
    condensedCount(condensed, ['refused']) === 0 &&
    view.answers.every((each) => each.status !== 429 || budgetKey(each) === null);
  const followsFrom: RequirementId[] = [];
  const findings = KINDS.flatMap((kind): Finding[] => {
    const seen = count(view.answers, (each) => isCharged(each, kind) && each.status === 429);
    const refusals = seen + condensedCount(condensed, ['refused'], [kind]);
    const first = refusedOtherwise(view, kind)[0] ?? judgeBrokenOff(view, kind);
    if (first) return [first];
    const passed = neverRefused ? letThrough(view, kind, limits) : null;
    if (passed) {
      followsFrom.push(limitOf(kind));
      return [passed];
    }
    return refusals > 0 ? [{ name: kind, verdict: 'pass', witnesses: refusals, summary: `429 on ${refusals}` }] : [];
  });
  if (findings.length > 0) {
    const opinion = combine('STATUS-429', findings, 'every refusal over the limit was a 429');
    const failed = findings.filter(({ verdict }) => verdict === 'fail').length;
    // What a limit that fails proves by itself is a part of that failure.
    return failed > 0 && failed === followsFrom.length ? { ...opinion, followsFrom } : opinion;
  }
  return KINDS.some((kind) => exceeds(view, kind)) ? undecided(view) : spentNone(view);
}

/** More requests succeeded in the run than a limit allows in one window, and none was answered 429. */
function undecided(view: View): Opinion {
  const silent = count(view.exchanges, ({ failure }) => failure !== null && failure !== 'aborted');
  const open = { id: 'STATUS-429', verdict: 'inconclusive' } as const;
  if (silent === 0) {
    return {
      ...open,
      summary: 'no request was answered 429, and it is open whether one was over a limit',
      remedy: 'see LIMIT-R and LIMIT-W',
    };
  }
  return {
    ...open,
    summary: `no request was answered 429, and ${silent} of ${view.exchanges.length} got no answer: the target may refuse so what is over a limit, or the network loses requests`,
    remedy:
      'if the target closes connections over a limit, let it answer 429; else run again over a network that loses nothing, with four keys',
  };
}

function spentNone(view: View): Opinion {
  return {
    id: 'STATUS-429',
    verdict: 'not tested',
    summary: 'the run spent no budget',
    remedy: view.omission('STATUS-429') ?? toCertify(view, 'run certify, which spends budgets'),
  };
}

/** Whether more than a limit's number of requests succeeded on one key: in how many windows is not asked. */
function exceeds(view: View, kind: Kind): boolean {
  if (view.trace.condensed?.beyond.has(kind)) return true;
  const successes = new Map<string | null, number>();
  for (const each of view.answers) {
    if (!isCharged(each, kind) || !isSuccess(each.status)) continue;
    const known = (successes.get(each.key) ?? 0) + 1;
    if (known > LIMITS[kind]) return true;
    successes.set(each.key, known);
  }
  return false;
}

function limitOf(kind: Kind): RequirementId {
  return kind === 'read' ? 'LIMIT-R' : 'LIMIT-W';
}

function letThrough(view: View, kind: Kind, limits: readonly Opinion[]): Finding | null {
  const threshold = limits.find(({ id }) => id === limitOf(kind));
  if (threshold?.verdict !== 'fail' || !exceeds(view, kind)) return null;
  return failing(
    kind,
    count(view.answers, (each) => isCharged(each, kind)),
    () => `no ${kind} operation is answered 429, though more than ${LIMITS[kind]} were let through in a window`,
    (threshold.proofs ?? []).map((proof) => ({ ...proof, part: kind })),
  );
}
