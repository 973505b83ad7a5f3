import { printable } from './printable.ts';

/** Text that is markup already, and is not escaped again. Only `markup` makes it. */
export interface Markup {
  readonly markup: string;
}

type Value = string | number | null | undefined | false | Markup | readonly Value[];

/**
 * Template tag for HTML, SVG and XML: every interpolated text is escaped (and its control characters made visible), so
 * nothing that a target sends can become markup. Lists are joined; null, undefined and false give an empty text.
 * Attributes must be quoted.
 */
export function markup(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  let text = strings[0] ?? '';
  values.forEach((value, index) => {
    text += render(value) + (strings[index + 1] ?? '');
  });
  return { markup: text };
}

/** Escapes text for element content and for quoted attributes. */
export function escapeMarkup(text: string): string {
  return printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Our own sentences with `code` in back-ticks: the marks become elements, everything else is escaped. */
export function prose(text: string): Markup {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return { markup: escapeMarkup(text) };
  return {
    markup: parts
      .map((part, index) => (index % 2 ? `<code>${escapeMarkup(part)}</code>` : escapeMarkup(part)))
      .join(''),
  };
}

/** Texts as lines: the line breaks between them are our own, and each line is escaped by itself. */
export function lines(texts: readonly string[]): Markup {
  return { markup: texts.map(escapeMarkup).join('\n') };
}

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'string') return escapeMarkup(value);
  if (typeof value === 'number') return String(value);
  if (isList(value)) return value.map(render).join('');
  return value.markup;
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
