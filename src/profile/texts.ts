import type { Path } from './finding.ts';
import { record } from './outline.ts';

/** A text within a value, and whether it names a field there. */
export interface PlacedText {
  readonly path: Path;
  readonly on: 'name' | 'value';
  readonly text: string;
}

/** Every text in a value at any depth, including field names, and its numbers as text. */
export function textsIn(value: unknown, path: Path): readonly PlacedText[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ path, on: 'value', text: String(value) }];
  if (Array.isArray(value)) return value.flatMap((each, index) => textsIn(each, [...path, index]));
  return Object.entries(record(value)).flatMap(([name, each]) => {
    const at = [...path, name];
    return [{ path: at, on: 'name' as const, text: name }, ...textsIn(each, at)];
  });
}
