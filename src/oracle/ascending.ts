/** One number of each item. `Float64Array.from`, which iterates, takes ten times as long. */
export function numbersOf<Item>(items: readonly Item[], of: (item: Item) => number): Float64Array {
  const numbers = new Float64Array(items.length);
  for (let at = 0; at < items.length; at++) {
    const item = items[at];
    if (item !== undefined) numbers[at] = of(item);
  }
  return numbers;
}

/** The same array, sorted; most times are already in order. */
export function ascending(times: Float64Array): Float64Array {
  let last = Number.NEGATIVE_INFINITY;
  for (const time of times) {
    if (time < last) return times.sort();
    last = time;
  }
  return times;
}

/** How many entries of an ascending array are below `time`. */
export function below(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many entries of an ascending array are at or below `time`. */
export function upTo(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The highest of the first 0, 1, 2 … of some numbers. */
export function latestOf(values: readonly number[]): readonly number[] {
  const found = [Number.NEGATIVE_INFINITY];
  for (const value of values) found.push(Math.max(found.at(-1) ?? value, value));
  return found;
}
