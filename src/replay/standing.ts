import type { RequirementId } from '../catalogue/requirement.ts';
import { isOfLimits } from '../judge/shown.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Trace } from '../trace/trace.ts';
import { inSteps, isSentAsItWas, type Sequence } from './sequence.ts';
import { outcomeOf, wrongOf } from './shown-elsewhere.ts';
import { shows } from './shows.ts';
import type { Ways } from './ways.ts';

/** The part of a proof that a sequence needs: the requests that prove a failure, in order of sending. */
export interface Evidence {
  readonly evidence: readonly Exchange[];
}

/**
 * The sequences of a failure whose answers show it alone: the evidence of a proof, or the same after a success of the
 * same key; then that of the other proofs and ways, each of which may be mended without the first. Empty if the answer
 * depends on earlier requests.
 *
 * @param ways what else shows it in the run
 */
export function standing(
  id: RequirementId,
  proofs: readonly Evidence[],
  ways: Ways,
  trace: Trace,
): readonly Sequence[] {
  const { exchanges } = trace;
  if (isOfLimits(id)) return [];
  const isAlone = ({ evidence }: Evidence): boolean => !hangsOnHistory(evidence, exchanges);
  const alone = proofs.filter(isAlone).map(({ evidence }) => evidence);
  const found = alone.flatMap((evidence) => {
    const forms = [evidence, [...acquaintance(evidence, exchanges), ...evidence]];
    const shown = forms.find((each) => shows(id, each, trace));
    return shown ? [shown] : [];
  });
  const [first, ...others] = found.toSorted((one, other) => Number(isWithheld(one)) - Number(isWithheld(other)));
  if (!first) return [];
  // If other proofs depend on earlier requests, what this one shows may also come now and then.
  const all = proofs.every((each) => isAlone(each) || isRefused(each));
  const single = (own: readonly Exchange[], parts: readonly (readonly Exchange[])[]): Sequence => ({
    ...SINGLE,
    steps: inSteps(own, false),
    isCertain: all && parts.every((each) => !isWithheld(each) && !comesAlone(each, exchanges)),
  });
  const known = new Set(first.map(({ seq }) => seq));
  const parts = [...others, ...ways.found.filter(isAlone).map(({ evidence }) => evidence)];
  const rest = [...new Map(parts.flat().map((each) => [each.seq, each])).values()];
  const further = rest.some(({ seq }) => !known.has(seq));
  const left = ways.left > 0 ? { untried: ways.left } : {};
  return [
    { ...single(first, [first]), ...(!further && left) },
    ...(further ? [{ ...single(rest, parts), ...left }] : []),
  ];
}

/** Whether the contradicting answer is a refusal: it comes when a budget is spent. */
export function isRefused({ evidence }: Evidence): boolean {
  return wrongOf(evidence)?.status === 429;
}

function isWithheld(exchanges: readonly Exchange[]): boolean {
  return !exchanges.every(isSentAsItWas);
}

const SINGLE = { pace: 'single', window: null, shows: true } as const;

/** A success of the key of the last evidence: without one, a refusal may only mean that the key is not valid. */
function acquaintance(evidence: readonly Exchange[], exchanges: readonly Exchange[]): readonly Exchange[] {
  const key = evidence.at(-1)?.key ?? null;
  const success = exchanges.find((each) => each.key === key && each.status === 200 && each.step !== 'prepare');
  return key === null || success === undefined ? [] : [success];
}

/** Whether the contradicting answer is a refusal, or answers a request that was answered differently elsewhere. */
function hangsOnHistory(evidence: readonly Exchange[], exchanges: readonly Exchange[]): boolean {
  const wrong = wrongOf(evidence);
  if (wrong === undefined || wrong.status === 429) return wrong !== undefined;
  return exchanges.some((each) => isAlike(each, wrong) && isAnsweredOtherwise(each, wrong));
}

/**
 * Whether neither the operation nor the key accounts for the contradicting answer: requests like it were answered
 * differently, and no other request of its operation, or of its key, always got the same answer. Then it may have come
 * once only.
 */
function comesAlone(evidence: readonly Exchange[], exchanges: readonly Exchange[]): boolean {
  const wrong = wrongOf(evidence);
  if (!wrong) return false;
  const peers = exchanges.filter(
    (each) =>
      (['fault', 'credential', 'variation', 'kind'] as const).every((name) => each[name] === wrong[name]) &&
      each.seq !== wrong.seq &&
      each.status !== null,
  );
  const accounts = (name: 'operation' | 'key'): boolean => {
    const same = peers.filter((each) => each[name] === wrong[name]);
    return same.length > 0 && !same.some((each) => isAnsweredOtherwise(each, wrong));
  };
  return peers.some((each) => isAnsweredOtherwise(each, wrong)) && !accounts('operation') && !accounts('key');
}

function isAnsweredOtherwise(each: Exchange, wrong: Exchange): boolean {
  return each.status !== 429 && outcomeOf(each) !== outcomeOf(wrong);
}

/** An operation that creates something for each request has a different target each time. */
function isAlike(a: Exchange, b: Exchange): boolean {
  const fields = ['operation', 'method', 'fault', 'credential', 'variation', 'key'] as const;
  const same = a.target === b.target || (a.operation !== null && a.fault === 'none');
  return a.status !== null && same && fields.every((name) => a[name] === b[name]);
}
