/** All subsets that are not empty. */
export function subsetsOf<Each>(all: readonly Each[]): readonly (readonly Each[])[] {
  const [first, ...others] = all;
  if (first === undefined) return [];
  const sets = subsetsOf(others);
  return [[first], ...sets, ...sets.map((set) => [first, ...set])];
}
