import { type CapturedHeaders, NO_HEADERS } from '../trace/exchange.ts';
import { decodeHeaders } from './record-line.ts';

/** Bounds what is remembered of a run in which every answer has values of its own. */
const MOST_REMEMBERED = 20_000;

/** One object for all answers that carry the same header values: a million answers mostly have few thousand of them. */
export class HeaderPool {
  readonly #known = new Map<string, CapturedHeaders>();
  readonly #values = new Map<string, readonly string[]>();

  /** @returns null where the text is not of five values */
  of(encoded: string): CapturedHeaders | null {
    const known = this.#known.get(encoded);
    if (known) return known;
    const text = copyOf(encoded);
    const values = decodeHeaders(text);
    if (!values) return null;
    const [limit, remaining, reset, date, retryAfter] = values;
    const headers: CapturedHeaders = {
      limit: this.#field(limit),
      remaining: this.#field(remaining),
      reset: this.#field(reset),
      date: this.#field(date),
      retryAfter: this.#field(retryAfter),
      other: NO_HEADERS.other,
    };
    if (this.#known.size === MOST_REMEMBERED) this.#known.clear();
    this.#known.set(text, headers);
    return headers;
  }

  /** k6 joins the lines of a repeated field with a comma: that reads as one line, and is no integer either way. */
  #field(value: string | undefined): readonly string[] {
    if (value === undefined) return NO_HEADERS.limit;
    const known = this.#values.get(value);
    if (known) return known;
    const list = [copyOf(value)];
    if (this.#values.size === MOST_REMEMBERED) this.#values.clear();
    this.#values.set(value, list);
    return list;
  }
}

/** The same text in memory of its own: a part of a line would keep all that was read with it. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
