/** The greatest number of which all of these are multiples; 0 if there are none. */
export function commonDivisor(values: Iterable<number>): number {
  return [...values].reduce(greatestCommonDivisor, 0);
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? Math.abs(one) : greatestCommonDivisor(other, one % other);
}
