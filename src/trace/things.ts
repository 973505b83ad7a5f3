/**
 * The thing that a request addresses, as far as a client can tell: the path without its query, in one spelling. Servers
 * may accept a path in any case, and with or without a slash at its end.
 */
export function thingAt(target: string): string {
  const [path = ''] = target.split('?');
  return path.toLowerCase().replace(/\/+$/, '');
}

/** A value that an operation has captured: two requests that use it may be after the same thing. */
export function thingNamed(value: string): string {
  return `=${value}`;
}

/** Whether the second is the first, or is below it and so disappears with it. */
export function covers(thing: string, other: string): boolean {
  return other === thing || other.startsWith(`${thing}/`);
}

/** The thing and everything above it, nearest first. */
export function withAbove(thing: string): readonly string[] {
  const above = [thing];
  for (let end = thing.lastIndexOf('/'); end > 0; end = thing.lastIndexOf('/', end - 1))
    above.push(thing.slice(0, end));
  return above;
}

/**
 * What a request to a thing may change: that thing; but a POST below a thing may act on all of it, as in
 * `/labels/5/archive`.
 */
export function changedBy(method: string, thing: string): string {
  const [, above = ''] = withAbove(thing);
  return method === 'POST' && above !== '' ? above : thing;
}
