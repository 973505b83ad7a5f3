/**
 * The candidate that a person most likely meant, or null where none is near: case is ignored, and at most a third of
 * the letters (at least one, at most three) may be wrong, missing, added or swapped with their neighbour.
 */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  if (word.length > MAX_LENGTH) return null;
  const allowed = Math.min(3, Math.max(1, Math.floor(word.length / 3)));
  let best: string | null = null;
  let least = allowed + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > allowed) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** The sentence that suggests the nearest candidate, after a space; empty where none is near. */
export function suggestion(word: string, candidates: Iterable<string>): string {
  return asQuestion(nearest(word, candidates));
}

/** The sentence that suggests a name, after a space; null: empty. */
export function asQuestion(name: string | null): string {
  return name === null ? '' : ` Did you mean "${name}"?`;
}

/** Longer words are not misspelt names, and the time for the distance grows with the product of the lengths. */
const MAX_LENGTH = 100;

/** Optimal string alignment distance (Damerau–Levenshtein with each letter edited once). */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + (same ? 0 : 1),
          swapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
