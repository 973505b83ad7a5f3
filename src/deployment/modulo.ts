/** What is left of a number less whole multiples of another one: from 0 up to that one, for negative numbers, too. */
export function modulo(n: number, of: number): number {
  return ((n % of) + of) % of;
}
