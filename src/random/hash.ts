/** The FNV-1a hash of an ASCII text: 32 bits, unsigned (Fowler, Noll and Vo 1991). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
