import type { Overall } from '../judge/judgement.ts';
import { markup } from './markup.ts';
import type { Report } from './report.ts';
import { outcomeOf, overallWord } from './wording.ts';

/** Backgrounds on which white text has a contrast of at least 4.5:1. */
const COLOUR: Readonly<Record<Overall | 'partial', string>> = {
  conforms: '#1a7f37',
  'does not conform': '#cf222e',
  incomplete: '#6e6a60',
  inconclusive: '#8a5a00',
  partial: '#35566e',
};

const PER_CHARACTER = 6.3;
const PADDING = 9;

/**
 * A badge as SVG that names what was judged, by which version of the suite, and on which day. The width is reckoned
 * from the number of characters, and `textLength` makes every font keep to it.
 */
export function badge(report: Report): string {
  const label = 'Size Chart API v1';
  const scaled = report.run.scale === 1 ? '' : ' (rehearsal)';
  const message = `${overallWord(report).toLowerCase()}${scaled} · suite ${report.suite.version} · ${report.run.started.slice(0, 10)}`;
  const colour = COLOUR[outcomeOf(report)];
  const left = width(label);
  const right = width(message);
  const total = left + right;
  const title = `${label}: ${message}`;
  return markup`<svg xmlns="http://www.w3.org/2000/svg" width="${total}" height="22" role="img" aria-label="${title}">
<title>${title}</title>
<clipPath id="r"><rect width="${total}" height="22" rx="4"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="22" fill="#33302a"/><rect x="${left}" width="${right}" height="22" fill="${colour}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" text-anchor="middle">
<text x="${left / 2}" y="15" textLength="${left - 2 * PADDING}">${label}</text>
<text x="${left + right / 2}" y="15" textLength="${right - 2 * PADDING}">${message}</text>
</g>
</svg>
`.markup;
}

function width(text: string): number {
  return Math.round(text.length * PER_CHARACTER) + 2 * PADDING;
}
