/** A place in the profile: field names and list indexes from the top. */
export type Path = readonly (string | number)[];

/** A mistake at a place in the profile, before the place is known as line and column. */
export interface Finding {
  readonly path: Path;
  /** Whether to point at the name of the field or at its value. */
  readonly on: 'name' | 'value';
  readonly severity: 'error' | 'warning';
  /** What is wrong, as the rest of a sentence that starts with the field's path. */
  readonly problem: string;
  /** The nearest valid name; null if none is near. */
  readonly suggestion: string | null;
  /** What to do, as a sentence. */
  readonly remedy: string;
}

/** An error at the value of `path`, unless `more` says otherwise. */
export function finding(path: Path, problem: string, remedy: string, more: Partial<Finding> = {}): Finding {
  return { path, problem, remedy, on: 'value', severity: 'error', suggestion: null, ...more };
}

/** A path as people write it: `operations[2].query.page`; `the profile` for the whole. */
export function pathText(path: Path): string {
  if (path.length === 0) return 'the profile';
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      if (!/^[A-Za-z_$][\w$-]*$/.test(part)) return `[${JSON.stringify(part)}]`;
      return index === 0 ? part : `.${part}`;
    })
    .join('');
}
