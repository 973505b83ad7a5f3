interface Event {
  readonly time: number;
  readonly order: number;
  readonly run: () => void;
}

/**
 * Events by time, and by the order of their making where times are equal: a binary heap, so that virtual time costs
 * nothing.
 */
export class EventQueue {
  readonly #heap: Event[] = [];
  #order = 0;

  push(time: number, run: () => void): void {
    const heap = this.#heap;
    const event = { time, order: this.#order++, run };
    let at = heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (!parent || before(parent, event)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = event;
  }

  /** Takes out the earliest event; undefined where none is left. */
  pop(): Event | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!last || last === first) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      let child = heap[below];
      if (!child) break;
      const right = heap[below + 1];
      if (right && before(right, child)) {
        child = right;
        below++;
      }
      if (before(last, child)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}

function before(one: Event, other: Event): boolean {
  return one.time < other.time || (one.time === other.time && one.order < other.order);
}
