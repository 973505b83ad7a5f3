import type { Exchange } from '../../trace/exchange.ts';
import type { Proof } from '../verdict.ts';
import type { Budget } from './budgets.ts';
import { describe, proof } from './proofs.ts';

/** Ways of LIMIT-EVADE of which the specification does not say that such a request succeeds. */
const UNSTATED: readonly string[] = ['query-string', 'path-case', 'trailing-slash', 'key-spaces'];

/** Whether the request tries a way of LIMIT-EVADE that the specification does not say to succeed. */
export function isUnstatedEvasion({ variation, fault }: Exchange): boolean {
  return variation !== null && fault === 'unstated' && UNSTATED.includes(variation);
}

/** The plain requests around another one that were decided before and after it: the last one before, and the first one that shows after. */
function neighbours(request: Exchange, exchanges: readonly Exchange[]): readonly [Exchange | null, Exchange | null] {
  let previous: Exchange | null = null;
  let next: Exchange | null = null;
  for (const other of exchanges) {
    const { sent, answered, variation, status } = other;
    if (answered === null || request.answered === null) continue;
    const plain = variation === null && other.fault === 'none' && other.operation !== null;
    if (plain && answered < request.sent && answered > (previous?.answered ?? -1)) previous = other;
    const shows = plain || (status === 429 && variation !== request.variation);
    if (shows && sent > request.answered && sent < (next?.sent ?? Number.POSITIVE_INFINITY)) next = other;
  }
  return [previous, next];
}

/** Whether the budget was spent while this request was under way: requests before and after it were refused. */
export function sentWhileSpent(request: Exchange, exchanges: readonly Exchange[]): boolean {
  return neighbours(request, exchanges).every((other) => other?.status === 429);
}

/**
 * LIMIT-EVADE, by a request of which the specification does not say that it succeeds: it did, between two refusals of one spent
 * budget. The three answers prove it, whatever the mechanism, unless the budget was back for that moment: so they have to carry one marker.
 */
export function unstatedEvasions({ exchanges }: Budget): readonly { readonly name: string; readonly proof: Proof }[] {
  const found = new Map<string, Proof>();
  for (const each of exchanges) {
    const { variation, status } = each;
    if (variation === null || status === null || status < 200 || status > 299 || found.has(variation)) continue;
    if (!isUnstatedEvasion(each)) continue;
    const [previous, next] = neighbours(each, exchanges);
    if (previous?.status !== 429 || next?.status !== 429) continue;
    if (previous.headers.reset[0] !== next.headers.reset[0]) continue;
    const received = `A request with ${variation} was let through while the budget of its key was spent.`;
    const argument = [
      describe(previous),
      describe(each),
      describe(next),
      'Both refusals carry one marker: the budget was not back between them.',
    ];
    const expected = 'A budget cannot be evaded by the way in which a request is written.';
    found.set(variation, proof(expected, received, [previous, each, next], argument));
  }
  return [...found].map(([name, made]) => ({ name, proof: made }));
}
