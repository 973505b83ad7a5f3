/** Bits to state by which of 14 attributes a scope is formed. */
export const ATTRIBUTE_BITS = 4;

/** Bits to state which requests had their own connection: one of 64 ways to use connections. */
export const CONNECTION_BITS = 6;

/** Bits to state by which attribute the requests of a budget are divided, and in which of the parts each class is. */
export function divisionBits(classes: number, parts: number): number {
  return ATTRIBUTE_BITS + (parts > 1 ? Math.log2(parts) * classes : 0);
}
