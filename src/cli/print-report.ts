import { dirname, relative, sep } from 'node:path';
import { quote } from '../replay/curl.ts';
import { printable } from '../report/printable.ts';
import { type Report, serialiseReport } from '../report/report.ts';
import { terminalReport } from '../report/terminal.ts';
import { headline } from '../report/wording.ts';

/** How much of a report is printed. */
export interface ReportDisplay {
  /** `report.json` instead of the summary. */
  readonly json: boolean;
  /** The verdict only, in one line. */
  readonly quiet: boolean;
  readonly colour: boolean;
}

/** Prints a report on standard output. @param trace the path of its trace, for commands that the user can paste */
export function printReport(report: Report, { json, quiet, colour }: ReportDisplay, trace: string): void {
  const verdict = (): string => `${printable(headline(report))}\n`;
  const text = (): string => terminalReport(report, { colour, trace, ...startedAs(process.argv[1]) });
  process.stdout.write(json ? serialiseReport(report) : quiet ? verdict() : text());
}

/**
 * How the user starts this program from a checkout; an installed one starts as in any report. @param file the file that
 * Node.js runs
 */
export function startedAs(file: string | undefined): { readonly program?: string } {
  if (file === undefined || file.split(sep).includes('node_modules')) return {};
  return { program: `node ${quote(shownPath(file))}` };
}

/** The first line of a text, in which its verdict stands. */
export function verdictLine(text: string): string {
  return text.slice(0, text.indexOf('\n') + 1);
}

/** Where the reports of a run are, and which to open. @param trace the path of its trace */
export function reportsText(trace: string): string {
  return `Reports: ${shownPath(dirname(trace))}/ (report.html, report.json, junit.xml, trace.ndjson …)`;
}

/** A path that the user can paste into this shell. */
export function shownPath(path: string): string {
  return relative(process.cwd(), path) || '.';
}
