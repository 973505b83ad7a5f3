const MARKER = /<!-- ([a-z-]+):(start|end) -->/g;

/**
 * Fills the generated blocks of a page: what stands between `<!-- name:start -->` and `<!-- name:end -->` is replaced.
 *
 * @throws Error where a marker has no partner, or names a block that nothing generates
 */
export function fillBlocks(page: string, blocks: Readonly<Record<string, string>>, path: string): string {
  let filled = '';
  let rest = 0;
  let open: string | null = null;
  for (const { 0: marker, 1: name = '', 2: side, index } of page.matchAll(MARKER)) {
    const block = blocks[name];
    if (block === undefined) throw new Error(`${path}: nothing generates the block "${name}"`);
    if (side === 'start' ? open !== null : open !== name) throw new Error(`${path}: ${marker} has no partner`);
    if (side === 'start') {
      filled += `${page.slice(rest, index)}${marker}\n${block.trim()}\n`;
      open = name;
    } else {
      filled += marker;
      open = null;
    }
    rest = index + marker.length;
  }
  if (open !== null) throw new Error(`${path}: the block "${open}" has no end`);
  return filled + page.slice(rest);
}
