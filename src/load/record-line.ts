/**
 * The lines that a k6 script prints and the suite reads, one event a line. They are found by their first two characters
 * among whatever else a log holds, and their fields never contain the separator, so no line can be mistaken for another.
 * Times are µs of the k6 instance's own monotonic clock (`exec.instance.currentTestRunDuration`), rounded outwards.
 *
 * ```
 * =|spec as JSON                                      first line of each instance
 * @|lane|t0|segment                                   a lane begins; T0 as it took it, in wall ms
 * ~|before|wall|after                                 the wall time (whole ms) was read between these two readings of the clock
 * >|id|count|due|clock                                `count` requests from `id` on are about to leave; due: wall ms
 * <|id|sent|answered|status|limit|remaining|reset|date|retry-after
 * x|id|sent|given-up|code|message                     no answer; k6's error code and words
 * .|lane|requests                                     a lane has sent all it had
 * !|lane|message                                      the script failed: the run counts for nothing
 * ```
 */
export type RecordLine =
  | { readonly type: 'spec'; readonly json: string }
  | ({ readonly type: 'lane'; readonly segment: string } & Numbers<'lane' | 't0'>)
  | ({ readonly type: 'tick' } & Numbers<'before' | 'wall' | 'after'>)
  | ({ readonly type: 'intent' } & Numbers<'id' | 'count' | 'due' | 'clock'>)
  /** `headers` is unparsed: `decodeHeaders` reads them. A million answers have few thousand different ones. */
  | ({ readonly type: 'answer'; readonly headers: string } & Numbers<'id' | 'sent' | 'answered' | 'status'>)
  | ({ readonly type: 'failure'; readonly message: string } & Numbers<'id' | 'sent' | 'ended' | 'code'>)
  | ({ readonly type: 'done' } & Numbers<'lane' | 'requests'>)
  | ({ readonly type: 'exception'; readonly message: string } & Numbers<'lane'>);

type Numbers<Name extends string> = Readonly<Record<Name, number>>;

/** Limit, Remaining, Reset, Date, Retry-After; undefined: absent. */
export type RecordedHeaders = readonly (string | undefined)[];

/** Encodes a field so that it contains no separator, control character or line end; an absent one is `-`. */
export function encodeField(text: string | undefined): string {
  if (text === undefined) return '-';
  return /^[\w: ,;=.][\w: ,;=.+-]*$/.test(text) ? text : `%${encodeURIComponent(text)}`;
}

function decodeField(text: string | undefined): string | undefined {
  if (text === undefined || text === '-') return undefined;
  if (!text.startsWith('%')) return text;
  try {
    return decodeURIComponent(text.slice(1));
  } catch {
    return text; // not written by the suite: used unchanged
  }
}

/** The five header values of an answer; null if there are not five, so the line is not ours. */
export function decodeHeaders(text: string): RecordedHeaders | null {
  const fields = text.split('|');
  return fields.length === 5 ? fields.map(decodeField) : null;
}

/** What a line has after its mark: these numbers, and then one field, anything, or nothing. */
interface LineForm {
  readonly type: RecordLine['type'];
  readonly numbers: readonly string[];
  readonly field?: string;
  readonly anything?: string;
}

const FORMS: Readonly<Record<string, LineForm>> = {
  '=': { type: 'spec', numbers: [], anything: 'json' },
  '@': { type: 'lane', numbers: ['lane', 't0'], field: 'segment' },
  '~': { type: 'tick', numbers: ['before', 'wall', 'after'] },
  '>': { type: 'intent', numbers: ['id', 'count', 'due', 'clock'] },
  '<': { type: 'answer', numbers: ['id', 'sent', 'answered', 'status'], anything: 'headers' },
  x: { type: 'failure', numbers: ['id', 'sent', 'ended', 'code'], field: 'message' },
  '.': { type: 'done', numbers: ['lane', 'requests'] },
  '!': { type: 'exception', numbers: ['lane'], field: 'message' },
};

/** Reads one line of a log: null if it is not ours (k6's own output, a banner), or is incomplete. */
export function decodeLine(line: string): RecordLine | null {
  const form = line[1] === '|' ? FORMS[line.charAt(0)] : undefined;
  if (!form) return null;
  const { type, numbers, field, anything } = form;
  const record: Record<string, string | number> = { type };
  let from = 2;
  for (const name of numbers) {
    const separator = line.indexOf('|', from);
    const to = separator < 0 ? line.length : separator;
    const value = Number(line.slice(from, to));
    if (from >= to || !Number.isFinite(value)) return null;
    record[name] = value;
    from = to + 1;
  }
  const name = field ?? anything;
  const hasMore = from <= line.length;
  if (hasMore !== (name !== undefined)) return null;
  const rest = line.slice(from);
  if (field !== undefined && rest.includes('|')) return null;
  if (name !== undefined) record[name] = field === undefined ? rest : (decodeField(rest) ?? '');
  return record as unknown as RecordLine;
}
