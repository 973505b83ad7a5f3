import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { alignTables } from './align-tables.ts';
import { fillBlocks } from './blocks.ts';
import { anchorsOf, linksOf, readPage } from './page-source.test-support.ts';
import { documentationPages, generatedPages } from './pages.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('what is generated', () => {
  test.each(generatedPages(ROOT))('$path is as `node scripts/docs.ts` writes it', ({ path, text }) => {
    expect(existsSync(join(ROOT, path))).toBe(true);
    expect(read(path)).toBe(text);
  });

  test('a block is filled, and what stands around it is left alone', () => {
    const page = 'a\n<!-- x:start -->\nold\n<!-- x:end -->\nb <!-- a plain comment -->\n';
    expect(fillBlocks(page, { x: 'new\n' }, 'p.md')).toBe(
      'a\n<!-- x:start -->\nnew\n<!-- x:end -->\nb <!-- a plain comment -->\n',
    );
  });

  test('the bars of a table stand in line, and what is fenced is left alone', () => {
    const page = 'a\n|x|long \\| cell|\n|---|---|\n|wide|é|\n```text\n|x|\n```';
    expect(alignTables(page)).toBe(
      'a\n| x    | long \\| cell |\n| ---- | ------------ |\n| wide | é            |\n```text\n|x|\n```',
    );
    expect(alignTables(alignTables(page))).toBe(alignTables(page));
  });

  test.each([
    ['<!-- y:start --><!-- y:end -->', 'nothing generates'],
    ['<!-- x:start -->', 'has no end'],
    ['<!-- x:end -->', 'no partner'],
    ['<!-- x:start --><!-- x:start -->', 'no partner'],
  ])('%s is refused', (page, message) => {
    expect(() => fillBlocks(page, { x: '' }, 'p.md')).toThrow(message);
  });
});

describe('what is written', () => {
  const pages = documentationPages(ROOT).map((path) => ({ path, page: readPage(read(path)) }));

  test.each(pages)('every link of $path leads to a file, and every anchor to a heading', ({ path, page }) => {
    expect(linksOf(page).filter(({ target }) => !leadsSomewhere(path, target))).toEqual([]);
  });

  test('each page has one title', () => {
    const titles = (page: ReturnType<typeof readPage>) => page.prose.filter(({ text }) => /^# /.test(text)).length;
    expect(pages.filter(({ page }) => titles(page) !== 1)).toEqual([]);
  });
});

test('a broken link and a broken anchor are seen', () => {
  expect(leadsSomewhere('README.md', 'docs/none.md')).toBe(false);
  expect(leadsSomewhere('README.md', 'docs/profile.md#none')).toBe(false);
  expect(leadsSomewhere('README.md', 'docs/profile.md#waivers')).toBe(true);
});

function leadsSomewhere(from: string, target: string): boolean {
  if (/^https:\/\//.test(target)) return URL.canParse(target);
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? from : relative(ROOT, resolve(ROOT, dirname(from), file));
  if (path.startsWith('..') || !existsSync(join(ROOT, path))) return false;
  return anchor === undefined || (path.endsWith('.md') && anchorsOf(readPage(read(path))).has(anchor));
}
