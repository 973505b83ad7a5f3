/** `labelGroups` and `Label groups` become `label-groups`. */
export function kebab(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase();
}

export function singular(noun: string): string {
  return noun.replace(/ies$/i, 'y').replace(/([^s])s$/i, '$1');
}

/**
 * A new unique name, which is then marked as taken: the given one, possibly with a number. At most 64 characters, cut
 * between words if that keeps half of them.
 */
export function unique(name: string, taken: Set<string>, separator = '-'): string {
  let candidate = cut(name, 64, separator);
  for (let number = 2; taken.has(candidate); number += 1)
    candidate = `${cut(name, 58, separator)}${separator}${number}`;
  taken.add(candidate);
  return candidate;
}

function cut(name: string, most: number, separator: string): string {
  if (name.length <= most) return name;
  const end = name.lastIndexOf(separator, most);
  return name.slice(0, end < most / 2 ? most : end);
}
