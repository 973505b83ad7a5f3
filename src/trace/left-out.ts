import type { NoteLine, Trace } from './trace.ts';

/** The note in a trace about a request of the plan that could not be sent. */
export function leftOutText(step: string, operation: string, why: string): string {
  return `${beginning(step, operation)}: ${why}`;
}

/** Whether a note says that a request could not be sent; if step and operation are given, a request of these. */
export function saysLeftOut({ code, text }: NoteLine, step?: string, operation?: string): boolean {
  if (code !== 'experiment-failed') return false;
  return step === undefined || operation === undefined
    ? text.includes(`${LEFT_OUT}: `)
    : text.startsWith(`${beginning(step, operation)}: `);
}

/** Why the first request of a step and an operation that could not be sent was left out; null: none was. */
export function whyLeftOut(notes: Trace['notes'], step: string, operation: string): string | null {
  const note = notes.find((each) => saysLeftOut(each, step, operation));
  return note ? note.text.slice(beginning(step, operation).length + 2) : null;
}

/**
 * Requests of a run that could not be sent, and after which no others of the same operation and step were sent: how
 * many for each operation and reason.
 */
export interface LeftOut {
  readonly operation: string;
  readonly why: string;
  readonly requests: number;
}

export function leftOutOf({ notes, exchanges }: Pick<Trace, 'notes' | 'exchanges'>): readonly LeftOut[] {
  const found = notes.flatMap((note) => {
    const [, step = '', operation = '', why = ''] = saysLeftOut(note) ? (PARTS.exec(note.text) ?? []) : [];
    return step === '' ? [] : [{ step, operation, why, time: note.time }];
  });
  if (found.length === 0) return [];
  const last = new Map<string, number>();
  for (const { step, operation, sent } of exchanges) last.set(`${step} ${operation}`, sent);
  const missing = found.filter(({ step, operation, time }) => (last.get(`${step} ${operation}`) ?? -1) < time);
  return [...Map.groupBy(missing, ({ operation, why }) => `${operation} ${why}`).values()].flatMap(
    ([first, ...same]) => (first ? { operation: first.operation, why: first.why, requests: 1 + same.length } : []),
  );
}

const PARTS = /^(.+?) of (\S+) was left out: (.*)$/s;

const LEFT_OUT = ' was left out';

function beginning(step: string, operation: string): string {
  return `${step} of ${operation}${LEFT_OUT}`;
}
