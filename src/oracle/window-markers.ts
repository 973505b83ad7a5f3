/** The possible true markers of one window, and the indices of the events that narrowed them last. */
interface Narrowed {
  low: number;
  high: number;
  lowAt: number;
  highAt: number;
}

/** The most windows whose markers are kept, the last ones. */
const MOST_MARKERS = 256;

/** The markers of the windows of a budget, narrowed by the answers: all requests of a window have the same marker. */
export class WindowMarkers {
  readonly #markers = new Map<number, Narrowed>();

  /**
   * Narrows the marker of a window by an event.
   *
   * @param window number of the window
   * @param least the earliest possible marker, in µs
   * @param most the latest
   * @param at index of the event
   * @returns null if a marker remains possible, otherwise the indices of the events that contradict each other
   */
  narrow(window: number, least: number, most: number, at: number): readonly number[] | null {
    const known = this.#markers.get(window);
    const marker = known ?? { low: least, high: most, lowAt: at, highAt: at };
    if (!known) {
      this.#markers.set(window, marker);
      if (this.#markers.size > MOST_MARKERS) this.#forget(window);
    }
    if (least >= marker.low) {
      marker.low = least;
      marker.lowAt = at;
    }
    if (most <= marker.high) {
      marker.high = most;
      marker.highAt = at;
    }
    return marker.low > marker.high ? [at, marker.lowAt, marker.highAt] : null;
  }

  /** Requests that overlap do not need a window that ended so long ago. */
  #forget(window: number): void {
    for (const other of this.#markers.keys()) if (other < window - MOST_MARKERS / 2) this.#markers.delete(other);
  }
}
