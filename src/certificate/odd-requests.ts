import { fixedOddities, holds, oddSchedule, priceOf } from '../drive/experiments/odd.ts';
import type { OddAllowance } from '../plan/allowance.ts';
import type { OddRequest } from '../property/odd-request.ts';
import { seededRandom } from '../random/random.ts';
import { saysLeftOut } from '../trace/left-out.ts';
import type { Trace } from '../trace/trace.ts';

/**
 * Odd requests that a trace lacks, as clauses. The driver sends all requests that the seed draws, unless an answer
 * breaks a rule, and then the run fails. If an OpenAPI document was given, which the trace does not contain, only their
 * number can be checked.
 */
export function missingOddities({ header, exchanges, notes }: Trace, allowance: OddAllowance): readonly string[] {
  const own = exchanges.filter(({ experiment }) => experiment === 'odd');
  if (!own.every(holds)) return [];
  const { operations } = header.profile;
  const drawn = oddSchedule(operations, seededRandom(header.seed, 'odd'), allowance);
  const fixed = fixedOddities(operations, allowance);
  const due = header.ruledOut === undefined ? drawn : fixed;
  const sentOf = ({ oddity, operation: { id } }: OddRequest): number => {
    const leftOut = notes.filter((each) => saysLeftOut(each, oddity, id)).length;
    return own.filter(({ step, operation }) => step === oddity && operation === id).length + leftOut;
  };
  const missing = [...Map.groupBy(due, ({ oddity, operation }) => `${oddity} of ${operation.id}`)]
    .filter(([, requests]) => requests.some((each) => sentOf(each) < requests.length))
    .map(([name]) => `it lacks an odd request that the seed determines (${name})`);
  if (header.ruledOut === undefined || missing.length > 0) return missing.slice(0, 1);
  const prices = new Map(operations.map((operation) => [operation.id, priceOf({ operation })]));
  const priceOfAll = (ids: readonly (string | null)[]): number =>
    ids.reduce((sum, id) => sum + (prices.get(id ?? '') ?? 1), 0);
  const spent = priceOfAll(own.filter(({ variation, step }) => variation === step).map(({ operation }) => operation));
  const first = priceOfAll(fixed.map(({ operation }) => operation.id));
  const leftOut = notes.filter((each) => each.experiment === 'odd' && saysLeftOut(each)).length;
  // The last drawn request may have cost more than was left.
  const most = Math.max(...prices.values());
  return spent + leftOut * most > first + allowance.requests - most
    ? []
    : ['it lacks odd requests that the seed determines'];
}
