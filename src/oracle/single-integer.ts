const INTEGER = /^-?\d{1,15}$/;

/**
 * The single integer in a header's field lines, or null. Spaces around it do not belong to the value (RFC 9110, 5.5).
 */
export function singleInteger(lines: readonly string[]): number | null {
  const text = lines.length === 1 ? lines[0]?.trim() : undefined;
  return text !== undefined && INTEGER.test(text) ? Number(text) : null;
}
