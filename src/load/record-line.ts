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
  | {
      readonly type: 'lane';
      readonly lane: number;
      readonly start: number;
      readonly segment: string;
    }
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
      /** As they stand in the line: `decodeHeaders` reads them. A million answers have few thousand different ones. */
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
  | { readonly type: 'done'; readonly lane: number; readonly requests: number }
  | { readonly type: 'exception'; readonly lane: number; readonly message: string };

/** Limit, Remaining, Reset, Date, Retry-After; undefined: absent. */
export type RecordedHeaders = readonly (string | undefined)[];

/** Encodes a field so that it holds no separator, control character or line end; an absent one is `-`. */
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
    return text; // not written by us: whatever it says, it says as it is
  }
}

/** The five header values of an answer; null where there are not five, so that the line is none of ours. */
export function decodeHeaders(text: string): RecordedHeaders | null {
  const fields = text.split('|');
  return fields.length === 5 ? fields.map(decodeField) : null;
}

/** Reads one line of a log: null where it is none of ours (k6's own output, a banner), or is cut off in the middle. */
export function decodeLine(line: string): RecordLine | null {
  if (line[1] !== '|') return null;
  // Nearly all lines are of these two kinds, so they are not taken apart first.
  if (line.startsWith('<')) return decodeAnswer(line);
  if (line.startsWith('>')) return decodeIntent(line);
  if (line.startsWith('=')) return { type: 'spec', json: line.slice(2) };
  const fields = line.split('|');
  const number = (at: number): number => (fields[at] ? Number(fields[at]) : Number.NaN);
  const whole = (length: number, record: RecordLine, ...numbers: number[]): RecordLine | null =>
    fields.length === length && numbers.every(Number.isFinite) ? record : null;
  switch (fields[0]) {
    case 'x': {
      const [id, sent, ended, code] = [number(1), number(2), number(3), number(4)];
      const message = decodeField(fields[5]) ?? '';
      return whole(6, { type: 'failure', id, sent, ended, code, message }, id, sent, ended, code);
    }
    case '@': {
      const [lane, start] = [number(1), number(2)];
      return whole(4, { type: 'lane', lane, start, segment: decodeField(fields[3]) ?? '' }, lane, start);
    }
    case '~':
      return whole(
        4,
        { type: 'tick', before: number(1), wall: number(2), after: number(3) },
        number(1),
        number(2),
        number(3),
      );
    case '.':
      return whole(3, { type: 'done', lane: number(1), requests: number(2) }, number(1), number(2));
    case '!':
      return whole(3, { type: 'exception', lane: number(1), message: decodeField(fields[2]) ?? '' }, number(1));
    default:
      return null;
  }
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

/** So many digits make a whole number that is exact, whatever they are. */
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
