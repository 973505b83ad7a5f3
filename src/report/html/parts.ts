import type { VerdictName } from '../../judge/verdict.ts';
import { lines, type Markup, markup } from '../markup.ts';
import { signOf } from '../wording.ts';

/** A part of the page that the table of contents names. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Markup;
}

/** The sign next to a verdict's word; screen readers read only the word. */
export function sign(verdict: VerdictName): Markup {
  return markup`<span class="sign" aria-hidden="true">${signOf(verdict)}</span>`;
}

/** A verdict as a class name. */
export function verdictClass(verdict: VerdictName): string {
  return `v-${verdict.replaceAll(' ', '-')}`;
}

/** Links to the rows of requirements; a row links to its failure. */
export function links(ids: readonly string[]): Markup[] {
  return ids.map((id, index) => markup`${index > 0 && ', '}<a href="#row-${id}">${id}</a>`);
}

/** The anchor of a budget's plot. */
export function budgetAnchor({ key, kind }: { readonly key: string; readonly kind: string }): string {
  return `budget-${key}-${kind}`;
}

/**
 * A table that scrolls by itself if the page is narrower. The first cell of each row is its heading.
 *
 * @param columns headings; a `#` before one says that the column has numbers, which are aligned to the right
 */
export function table(
  label: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number | Markup)[])[],
): Markup {
  const align = columns.map((each) => each.startsWith('#') && markup` class="number"`);
  const headings = columns.map((each, index) => markup`<th scope="col"${align[index]}>${each.replace('#', '')}</th>`);
  const row = ([heading, ...cells]: (typeof rows)[number]): Markup =>
    markup`<tr><th scope="row"${align[0]}>${heading}</th>${cells.map((cell, index) => markup`<td${align[index + 1]}>${cell}</td>`)}</tr>\n`;
  return markup`<div class="scroll" tabindex="0" role="group" aria-label="${label}"><table><thead><tr>${headings}</tr></thead>
<tbody>${rows.map(row)}</tbody></table></div>`;
}

/** Text to copy: one click selects all of it. */
export function code(text: string, label: string): Markup {
  return markup`<pre tabindex="0" role="group" aria-label="${label}"><code>${lines(text.split('\n'))}</code></pre>`;
}
