import type { LineProblem } from './codec.ts';
import type { Exchange } from './exchange.ts';
import type { Intent, TraceFooter } from './trace.ts';

/**
 * Checks a trace's statements about its requests against each other: each problem is a sign that lines were removed or
 * altered.
 */
export interface Ledger {
  announce(intents: readonly Intent[]): LineProblem | null;
  answer(exchange: Exchange): LineProblem | null;
  /** Call it when all lines are read. */
  end(footer: TraceFooter | null): LineProblem | null;
  /** Announced but not answered. */
  unanswered(): readonly Intent[];
}

/**
 * A driver numbers its requests from 1 in the order in which it announces them, and announces each one before it is
 * sent; a complete run has an answer, or a failure, for each. The records of a load run are joined after the run: only
 * unanswered requests are intents there, and the numbers of exchanges and intents together have no gap.
 *
 * @param command what drove the target, as the header says: a load run is never certified
 */
export function createLedger(command: string): Ledger {
  const driven = command !== 'load';
  const waiting = new Map<number, Intent>();
  const answered = new Set<number>();
  let announced = 0;
  let highest = 0;

  return {
    announce(intents) {
      for (const intent of intents) {
        announced += 1;
        highest = Math.max(highest, intent.seq);
        if (driven && intent.seq !== announced) return gap(announced);
        waiting.set(intent.seq, intent);
      }
      return null;
    },
    answer(exchange) {
      const { seq } = exchange;
      if (answered.has(seq)) return DUPLICATE;
      answered.add(seq);
      highest = Math.max(highest, seq);
      const intent = waiting.get(seq);
      waiting.delete(seq);
      return driven && !(intent && isSame(intent, exchange)) ? UNANNOUNCED : null;
    },
    end(footer) {
      if (footer === null) return null;
      if (!driven) return highest === answered.size + waiting.size ? null : gap(highest);
      const [first] = waiting.keys();
      return footer.outcome === 'complete' && first !== undefined ? withoutAnswer(first) : null;
    },
    unanswered: () => [...waiting.values()],
  };
}

const DUPLICATE: LineProblem = {
  code: 'duplicate',
  message: 'its sequence number was used before: the trace was altered',
};

const UNANNOUNCED: LineProblem = {
  code: 'unannounced',
  message: 'no earlier line announced this request: the trace was altered',
};

function gap(seq: number): LineProblem {
  return { code: 'gap', message: `request ${seq} is missing: the trace was altered` };
}

function withoutAnswer(seq: number): LineProblem {
  const message = `request ${seq} has no answer, though the trace says that the run is complete: the trace was altered`;
  return { code: 'unanswered', message };
}

/**
 * Whether the answer belongs to this request: everything known before it was sent must agree, except the connection.
 */
function isSame(intent: Intent, exchange: Exchange): boolean {
  return (
    intent.experiment === exchange.experiment &&
    intent.step === exchange.step &&
    intent.pair === exchange.pair &&
    intent.operation === exchange.operation &&
    intent.group === exchange.group &&
    intent.kind === exchange.kind &&
    intent.fault === exchange.fault &&
    intent.key === exchange.key &&
    intent.credential === exchange.credential &&
    intent.variation === exchange.variation &&
    intent.method === exchange.method &&
    intent.target === exchange.target
  );
}
