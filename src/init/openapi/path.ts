/** The segments of a path, without its query. */
export function segments(path: string): readonly string[] {
  return path
    .replace(/[?#].*$/, '')
    .split('/')
    .filter((each) => each !== '');
}

/** The segments of a path without a parameter. */
export function words(path: string): readonly string[] {
  return segments(path).filter((segment) => !segment.includes('{'));
}

/** A path without the names of its parameters and without a slash at its end: `/labels/{}`. */
export function nameless(path: string): string {
  return path.replace(/\{[^{}]*\}/g, '{}').replace(/\/$/, '');
}

/** The name of the parameter in a segment; undefined if it is not a parameter. */
export function parameterOf(segment: string | undefined): string | undefined {
  return /^\{([^{}]+)\}$/.exec(segment ?? '')?.[1];
}

/** The parameters of a path that are whole segments, each with the collection that it picks from. */
export function parametersIn(path: string): readonly { readonly collection: string; readonly name: string }[] {
  const parts = path.split('/');
  return parts.flatMap((segment, index) => {
    const name = parameterOf(segment);
    return name === undefined ? [] : [{ collection: nameless(parts.slice(0, index).join('/')), name }];
  });
}

/** Percent-encoded, except for variables, which are filled in later. */
export function encodeAround(text: string): string {
  return text
    .split(/(\{\{\w+\}\})/)
    .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part)))
    .join('');
}
