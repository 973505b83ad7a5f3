import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the part of the heap for new objects small. Reading and judging records makes hundreds of bytes that die at once for
 * each byte that stays, and V8 would let that part grow to some 100 MB, and what outlives it by chance to as much again.
 */
export function keepYoungHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
