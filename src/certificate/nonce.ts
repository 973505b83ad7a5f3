/**
 * The seed of a run made for a certifier's nonce (FNV-1a over its UTF-8 bytes, 31 bits): the nonce decides the order and
 * the names of what is sent, so a run made before with another seed does not fit it.
 */
export function seedOf(nonce: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(nonce)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 1;
}
