import type { Intent, TraceFooter, TraceHeader, TraceLine } from '../trace/trace.ts';

export type Body = Exclude<TraceLine, TraceHeader | TraceFooter>;

/** A trace without its footer. */
export interface Lines {
  readonly header: TraceHeader;
  readonly body: readonly Body[];
}

/** The number of the first request of a step. */
export function firstOf({ body }: Lines, step: string): number | undefined {
  return body.flatMap((line) => (line.type === 'exchange' && line.step === step ? [line.seq] : []))[0];
}

/** Without these requests; the others get new numbers. */
export function without(
  { header: head, body }: Lines,
  gone: (request: Intent & { status?: number | null }) => boolean,
): Lines {
  const dropped = new Set(body.flatMap((line) => (line.type === 'exchange' && gone(line) ? [line.seq] : [])));
  const numbers = new Map<number, number>();
  const kept = ({ seq }: { seq: number }): boolean => !dropped.has(seq);
  for (const line of body) {
    if (line.type === 'intent') for (const { seq } of line.exchanges.filter(kept)) numbers.set(seq, numbers.size + 1);
  }
  const renumbered = <Line extends { readonly seq: number }>(line: Line): Line => ({
    ...line,
    seq: numbers.get(line.seq) ?? 0,
  });
  return {
    header: head,
    body: body.flatMap((line): Body[] => {
      if (line.type === 'note') return [line];
      if (line.type === 'exchange') return kept(line) ? [renumbered(line)] : [];
      const exchanges = line.exchanges.filter(kept).map(renumbered);
      return exchanges.length === 0 ? [] : [{ ...line, exchanges }];
    }),
  };
}

/** The first part of the lines, up to the first request that would be left unanswered. */
export function cut({ header: head, body }: Lines, share: number): Lines {
  const kept = body.slice(0, Math.floor(share * body.length));
  const answered = new Set(kept.flatMap((line) => (line.type === 'exchange' ? [line.seq] : [])));
  const announced = kept.flatMap((line) => (line.type === 'intent' ? line.exchanges.map(({ seq }) => seq) : []));
  const first = Math.min(...announced.filter((seq) => !answered.has(seq)), Number.POSITIVE_INFINITY);
  const early = ({ seq }: { readonly seq: number }): boolean => seq < first;
  return {
    header: head,
    body: kept.flatMap((line): Body[] => {
      if (line.type === 'note') return [line];
      if (line.type === 'exchange') return early(line) ? [line] : [];
      const exchanges = line.exchanges.filter(early);
      return exchanges.length === 0 ? [] : [{ ...line, exchanges }];
    }),
  };
}

/** With notes that every experiment has begun and ended. */
export const withEnds = ({ header: head, body }: Lines): Lines => ({
  header: head,
  body: [
    ...body,
    ...head.experiments.flatMap(({ id }) =>
      (['experiment-started', 'experiment-ended'] as const).map(
        (code): Body => ({ type: 'note', time: 0, code, experiment: id, text: '' }),
      ),
    ),
  ],
});
