/** A fenced block of a page: its language, its text, and the line (from 1) on which the fence opens. */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
  readonly line: number;
}

export interface Link {
  readonly target: string;
  readonly line: number;
}

interface Source {
  readonly blocks: readonly CodeBlock[];
  /** Lines outside of fenced blocks, each with its number. */
  readonly prose: readonly { readonly text: string; readonly line: number }[];
}

/**
 * Takes a Markdown page apart into fenced blocks and prose: as much of CommonMark as these pages use (fences of three
 * backticks that start a line, or are indented in a list).
 *
 * @throws Error where a fence is not closed
 */
export function readPage(markdown: string): Source {
  const blocks: CodeBlock[] = [];
  const prose: { text: string; line: number }[] = [];
  let open: { language: string; lines: string[]; line: number } | null = null;
  for (const [index, text] of markdown.split('\n').entries()) {
    const fence = /^\s*```(\S*)\s*$/.exec(text);
    if (fence && open) {
      blocks.push({ language: open.language, text: `${open.lines.join('\n')}\n`, line: open.line });
      open = null;
    } else if (fence) open = { language: fence[1] ?? '', lines: [], line: index + 1 };
    else if (open) open.lines.push(text);
    else prose.push({ text, line: index + 1 });
  }
  if (open) throw new Error(`the fence on line ${open.line} is not closed`);
  return { blocks, prose };
}

/** Targets of all links and images in the prose; what stands in backticks is none. */
export function linksOf({ prose }: Source): readonly Link[] {
  return prose.flatMap(({ text, line }) =>
    [...text.replace(/`[^`]*`/g, '``').matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => ({ target, line })),
  );
}

/**
 * Anchors of all headings, as GitHub makes them: lower case, no punctuation, hyphens for spaces, numbered where
 * repeated.
 */
export function anchorsOf({ prose }: Source): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const { text } of prose) {
    const title = /^#{1,6} +(.+?)\s*$/.exec(text)?.[1];
    if (title === undefined) continue;
    const base = title
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-');
    let anchor = base;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${base}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}
