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
  | { readonly type: 'lane'; readonly lane: number; readonly segment: string }
  | { readonly type: 'tick'; readonly before: number; readonly wall: number; readonly after: number }
  | {
      readonly type: 'intent';
      readonly id: number;
      readonly count: number;
      readonly due: number;
      readonly clock: number;
    }
  | {
      readonly type: 'answer';
      readonly id: number;
      readonly sent: number;
      readonly answered: number;
      readonly status: number;
      /** Unparsed: `decodeHeaders` reads them. A million answers have few thousand different ones. */
      readonly headers: string;
    }
  | {
      readonly type: 'failure';
      readonly id: number;
      readonly sent: number;
      readonly ended: number;
      readonly code: number;
      readonly message: string;
    }
  | { readonly type: 'done' }
  | { readonly type: 'exception'; readonly message: string };

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

/** Reads one line of a log: null if it is not ours (k6's own output, a banner), or is incomplete. */
export function decodeLine(line: string): RecordLine | null {
  if (line[1] !== '|') return null;
  // Nearly all lines have these two kinds, so they are parsed without splitting.
  if (line.startsWith('<')) return decodeAnswer(line);
  if (line.startsWith('>')) return decodeIntent(line);
  if (line.startsWith('=')) return { type: 'spec', json: line.slice(2) };
  const [mark = '', ...fields] = line.split('|');
  const form = RARE_LINES.get(mark);
  if (!form || fields.length !== form.fields) return null;
  const numbers = fields.slice(0, form.numbers).map((field) => (field === '' ? Number.NaN : Number(field)));
  return numbers.every(Number.isFinite) ? form.record(numbers, decodeField(fields[form.numbers]) ?? '') : null;
}

/** How many fields other lines have after their mark, how many of these, from the first on, are numbers, and what they say. */
const RARE_LINES = new Map<string, RareLine>([
  [
    'x',
    {
      fields: 5,
      numbers: 4,
      record: ([id = 0, sent = 0, ended = 0, code = 0], message) => ({
        type: 'failure',
        id,
        sent,
        ended,
        code,
        message,
      }),
    },
  ],
  ['@', { fields: 3, numbers: 2, record: ([lane = 0], segment) => ({ type: 'lane', lane, segment }) }],
  [
    '~',
    { fields: 3, numbers: 3, record: ([before = 0, wall = 0, after = 0]) => ({ type: 'tick', before, wall, after }) },
  ],
  ['.', { fields: 2, numbers: 2, record: () => ({ type: 'done' }) }],
  ['!', { fields: 2, numbers: 1, record: (_, message) => ({ type: 'exception', message }) }],
]);

interface RareLine {
  readonly fields: number;
  readonly numbers: number;
  /** @param text the field after the numbers */
  readonly record: (numbers: readonly number[], text: string) => RecordLine;
}

function decodeAnswer(line: string): RecordLine | null {
  const first = line.indexOf('|', 2);
  const second = line.indexOf('|', first + 1);
  const third = line.indexOf('|', second + 1);
  const fourth = line.indexOf('|', third + 1);
  if (first < 0 || second < 0 || third < 0 || fourth < 0) return null;
  const id = numberIn(line, 2, first);
  const sent = numberIn(line, first + 1, second);
  const answered = numberIn(line, second + 1, third);
  const status = numberIn(line, third + 1, fourth);
  if (!Number.isFinite(id + sent + answered + status)) return null;
  return { type: 'answer', id, sent, answered, status, headers: line.slice(fourth + 1) };
}

function decodeIntent(line: string): RecordLine | null {
  const first = line.indexOf('|', 2);
  const second = line.indexOf('|', first + 1);
  const third = line.indexOf('|', second + 1);
  if (first < 0 || second < 0 || third < 0) return null;
  const id = numberIn(line, 2, first);
  const count = numberIn(line, first + 1, second);
  const due = numberIn(line, second + 1, third);
  // A field too many leaves a separator in the last one, which then is no number.
  const clock = numberIn(line, third + 1, line.length);
  if (!Number.isFinite(id + count + due + clock)) return null;
  return { type: 'intent', id, count, due, clock };
}

/** A whole number with this many digits is always exact. */
const EXACT_DIGITS = 15;

/** The number that stands at `from` and before `to`; NaN where none does. */
function numberIn(line: string, from: number, to: number): number {
  if (from >= to) return Number.NaN;
  if (to - from > EXACT_DIGITS) return Number(line.slice(from, to));
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const digit = line.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return Number(line.slice(from, to));
    value = value * 10 + digit;
  }
  return value;
}
