import { type CapturedHeaders, NO_HEADERS } from '../trace/exchange.ts';
import { decodeHeaders } from './record-line.ts';

/** Bounds the memory for a run in which every answer has different values. */
const MOST_REMEMBERED = 20_000;

/** One object for all answers that carry the same header values: a million answers mostly have few thousand of them. */
export class HeaderPool {
  readonly #known = new Map<string, CapturedHeaders>();
  readonly #values = new Map<string, readonly string[]>();

  /** @returns null if the text does not have five values */
  of(encoded: string): CapturedHeaders | null {
    const known = this.#known.get(encoded);
    if (known) return known;
    const text = copyOf(encoded);
    const values = decodeHeaders(text);
    if (!values) return null;
    const [limit = [], remaining = [], reset = [], date = [], retryAfter = []] = values.map((each) =>
      this.#field(each),
    );
    const headers: CapturedHeaders = { limit, remaining, reset, date, retryAfter, other: NO_HEADERS.other };
    if (this.#known.size === MOST_REMEMBERED) this.#known.clear();
    this.#known.set(text, headers);
    return headers;
  }

  /**
   * k6 joins the lines of a repeated field with a comma: this counts as one line, and is not an integer in either case.
   */
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

/** A copy of the text: a substring of a line would keep the whole chunk in memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
