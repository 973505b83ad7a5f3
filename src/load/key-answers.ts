import { type Exchange, isFullKey, numberOfKey } from '../trace/exchange.ts';

/**
 * As many answers with a key, all of them 401 and none before them another, show that the target does not accept it.
 */
const SHOW_IT = 3;

/**
 * Follows what the target answers to each key. Load with a key that it does not accept says nothing about any limit, so
 * a run with one ends as soon as this shows.
 */
export class KeyAnswers {
  /** The requests answered 401 of each key that got no other answer; null: it got another. */
  readonly #refused = new Map<string, number | null>();

  take({ key, status, fault }: Exchange): void {
    if (!isFullKey(key) || status === null || fault !== 'none') return;
    const before = this.#refused.get(key);
    if (before === null) return;
    this.#refused.set(key, status === 401 ? (before ?? 0) + 1 : null);
  }

  /** The keys that are not accepted, as far as the answers show. */
  get refused(): readonly string[] {
    return [...this.#refused].filter(([, refused]) => (refused ?? 0) >= SHOW_IT).map(([key]) => key);
  }
}

/** Why load with keys that the target does not accept can show nothing, and what to do. */
export function keysRefusedText(keys: readonly string[]): string {
  const inOrder = keys.toSorted((one, other) => numberOfKey(one) - numberOfKey(other));
  const shown = inOrder.length > 10 ? [...inOrder.slice(0, 10), `${inOrder.length - 10} more`] : inOrder;
  const are = keys.length === 1 ? 'is' : 'are';
  return `${shown.join(', ')} ${are} not accepted (401 to every request with X-API-Key): check that SIZE_CHART_KEYS holds valid keys of this deployment; doctor shows what each key gets`;
}
