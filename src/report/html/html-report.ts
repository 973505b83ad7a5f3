import { markup } from '../markup.ts';
import type { Report } from '../report.ts';
import { overallWord, targetName } from '../wording.ts';
import { budgetsSection, mechanismSection } from './budgets.ts';
import { failuresSection } from './failures.ts';
import { loadSection } from './load.ts';
import { matrixSection } from './matrix.ts';
import { observationsSection } from './observations.ts';
import type { Section } from './parts.ts';
import { conditionsSection, reproduceSection, waiversSection } from './run.ts';
import { SCRIPT, SCRIPT_HASH } from './script.ts';
import { STYLE } from './style.ts';
import { openSection, summaryHeader, toneOf } from './summary.ts';

/**
 * The report as one self-contained HTML page: no network and no script but its own (its content security policy forbids
 * both), light and dark, on paper, by keyboard and by ear, and whole without script. Filters are links: their state is
 * the fragment of the URL.
 */
export function htmlReport(report: Report): string {
  const sections = [
    failuresSection(report),
    openSection(report),
    matrixSection(report),
    budgetsSection(report),
    mechanismSection(report),
    observationsSection(report),
    loadSection(report),
    waiversSection(report),
    conditionsSection(report),
    reproduceSection(report),
  ].filter((section): section is Section => section !== null);
  const title = `${overallWord(report)}: ${targetName(report)}, Size Chart Service API v1`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '${SCRIPT_HASH}'; style-src 'unsafe-inline'; img-src data:">
<meta name="generator" content="${report.suite.name} ${report.suite.version}">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${{ markup: STYLE }}</style>
</head>
<body class="${toneOf(report)}">
<a class="skip" href="#content">Skip to the requirements</a>
${summaryHeader(report)}
<div class="page">
<nav class="contents" aria-label="Contents"><ol>
${sections.map((section) => markup`<li><a href="#${section.id}">${section.title}</a></li>\n`)}</ol></nav>
<main id="content">
<p class="search" hidden><label>Search requirements and requests <input id="search" type="search"></label> <output></output></p>
${sections.map(
  (section) => markup`<section>
<h2 id="${section.id}">${section.title}</h2>
${section.body}
</section>
`,
)}</main>
</div>
<footer class="page-end"><p>${report.suite.name} ${report.suite.version}. Made only from <code>report.json</code>, which is made only from the trace.</p></footer>
<script>${{ markup: SCRIPT }}</script>
</body>
</html>
`.markup;
}
