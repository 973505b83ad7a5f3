import { holds, oddSchedule, priceOf } from '../drive/experiments/odd.ts';
import { ODD_REQUESTS } from '../plan/roles.ts';
import { seededRandom } from '../random/random.ts';
import type { Trace } from '../trace/trace.ts';

/**
 * Odd requests that a trace lacks, in clauses: what the seed draws is sent to the end unless an answer does not hold, and then the run fails.
 * Where an interface description was given, which the trace does not hold, only their number can be told.
 */
export function missingOddities({ header, exchanges, notes }: Trace): readonly string[] {
  const own = exchanges.filter(({ experiment }) => experiment === 'odd');
  if (!own.every(holds)) return [];
  const { operations } = header.profile;
  const due = oddSchedule(operations, seededRandom(header.seed, 'odd'));
  const sentOf = (name: string): number => {
    const leftOut = notes.filter(({ text }) => text.startsWith(`${name} was left out`)).length;
    return own.filter(({ step, operation }) => `${step} of ${operation}` === name).length + leftOut;
  };
  const missing = [...Map.groupBy(due, ({ oddity, operation }) => `${oddity} of ${operation.id}`)]
    .filter(([name]) => header.ruledOut === undefined || name.startsWith('malformed-body'))
    .filter(([name, requests]) => sentOf(name) < requests.length)
    .map(([name]) => `it lacks an odd request that the seed gives (${name})`);
  if (header.ruledOut === undefined || missing.length > 0) return missing.slice(0, 1);
  const prices = new Map(operations.map((operation) => [operation.id, priceOf({ operation })]));
  const arbitrary = own.filter(({ variation, step }) => variation === step && step !== 'malformed-body');
  const spent = arbitrary.reduce((sum, { operation }) => sum + (prices.get(operation ?? '') ?? 1), 0);
  const leftOut = notes.filter(({ experiment, text }) => experiment === 'odd' && text.includes(' was left out')).length;
  // What was drawn last may have been dearer than what was left.
  const most = Math.max(...prices.values());
  return spent + leftOut * most > ODD_REQUESTS - most ? [] : ['it lacks odd requests that the seed gives'];
}
