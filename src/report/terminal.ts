import { stripVTControlCharacters, styleText } from 'node:util';
import type { VerdictName } from '../judge/verdict.ts';
import { quote } from '../replay/curl.ts';
import type { Exchange } from '../trace/exchange.ts';
import { failuresOf } from './causes.ts';
import { caveats } from './caveats.ts';
import { EVIDENCE_COLUMNS, evidenceRows } from './evidence-rows.ts';
import { explain } from './explanation.ts';
import { type Finding, findingsOf } from './findings.ts';
import { leftOpen } from './left-open.ts';
import { printable } from './printable.ts';
import { rampSentences } from './ramp-sentences.ts';
import type { Report, ReportedVerdict } from './report.ts';
import { requestsText } from './requests-text.ts';
import { bySection, byVerdict, headline, outcomeOf, overallWord, programOf, signOf } from './wording.ts';

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

/** The style of each verdict of a requirement and of a run. */
const STYLE = {
  pass: 'green',
  fail: 'red',
  'not tested': 'dim',
  inconclusive: 'yellow',
  waived: 'magenta',
  observed: 'dim',
  conforms: 'green',
  partial: 'bold',
  'does not conform': 'red',
  incomplete: 'yellow',
} as const;

/**
 * Width of the narrowest common terminal: prose is wrapped to fit. Table rows are not, because they would no longer be
 * rows.
 */
const COLUMNS = 80;

export interface TerminalOptions {
  /** Only on a TTY. */
  readonly colour?: boolean;
  /** Path of the trace, for commands that the user can paste. */
  readonly trace?: string;
  /** How the user starts this program; absent: as anybody can who has Node.js. */
  readonly program?: string;
}

/**
 * The summary for a terminal: the verdict first, then what to change, with the requests that show it, then what could
 * not be judged and what to do about it. A passing run fits on one screen.
 */
export function terminalReport(
  report: Report,
  { colour = false, trace = 'trace.ndjson', program = programOf(report) }: TerminalOptions = {},
): string {
  const paint: Paint = colour ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;
  const failures = findingsOf(report).filter(({ verdict }) => verdict.verdict === 'fail');
  const [first] = failures;
  const explaining = first ? `${program} judge ${quote(trace)} --explain ${first.verdict.id}` : null;
  // A command that is broken in two could not be pasted.
  const isCommand = (line: string): boolean => explaining !== null && line.includes(printable(explaining));
  const blocks = [
    heading(report, paint),
    ...failures.map((each) => failure(each, paint)),
    open(report, paint),
    sections(report, paint),
    footer(report, explaining, paint),
  ];
  return `\n${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.flatMap((line) => (isCommand(line) ? [line] : wrap(line))).join('\n'))
    .join('\n\n')}\n`;
}

function heading(report: Report, paint: Paint): string[] {
  return [
    paint(['bold', STYLE[outcomeOf(report)]], overallWord(report).toUpperCase()),
    printable(headline(report)),
    ...caveats(report).map((each) => paint('yellow', `! ${printable(each)}`)),
  ];
}

function failure(
  { verdict, sentence, looksLike, rows, conclusion, causes, remedies, ofDefects, adviceOf, consequences }: Finding,
  paint: Paint,
): string[] {
  const label = (name: string, texts: readonly string[]): string[] =>
    texts.map((text) => `${paint('dim', name.padEnd(8))}  ${printable(text.replaceAll('`', ''))}`);
  const why = causes.slice(0, ofDefects ? 2 : 1);
  const what = adviceOf === null ? remedies.slice(0, 2) : [`The same as for ${adviceOf.id}.`];
  // Each defect has a cause and what to do about it: these belong together.
  const isPaired = ofDefects && why.length === what.length;
  const advice = isPaired
    ? why.flatMap((each, at) => [...label('cause', [each]), ...label('do', what.slice(at, at + 1))])
    : [...label('cause', why), ...label('do', what)];
  return [
    `${mark('fail', paint)} ${paint('bold', verdict.id)}  ${printable(sentence)} ${paint('dim', `(${printable(clauseText(verdict))})`)}`,
    ...indent([
      ...label('looks like', looksLike),
      ...evidenceTable(rows).map((line, index) => (index === 0 ? paint('dim', line) : line)),
      ...(conclusion === null ? [] : [`${paint('dim', '›')} ${printable(conclusion)}`]),
      ...advice,
      ...(consequences.length > 0 ? label('so also', [byVerdict(consequences)]) : []),
    ]),
  ];
}

/** Requests as an aligned table. */
function evidenceTable(evidence: readonly Exchange[]): string[] {
  if (evidence.length === 0) return [];
  const rows = evidenceRows(evidence, { target: 40, value: 20 });
  const header = EVIDENCE_COLUMNS.map((each) => each.toLowerCase());
  return columns([header, ...rows.map(([seq, ...cells]) => [`#${seq}`, ...cells])]);
}

/** What was left open and what was waived; equal advice appears once. */
function open(report: Report, paint: Paint): string[] {
  const waived = report.verdicts.filter((each) => each.verdict === 'waived');
  const partly = report.waivers.filter(
    ({ requirement, used }) =>
      used && report.verdicts.some(({ id, verdict }) => id === requirement && verdict === 'fail'),
  );
  const entry = (verdict: VerdictName, name: string, told: string): string =>
    `${mark(verdict, paint)} ${paint('bold', name)}  ${printable(told)}`;
  return [
    ...leftOpen(report).flatMap(({ verdict, ids, advice }) => [
      entry(verdict, ids.join(', '), verdict),
      `  ${printable(advice)}`,
    ]),
    ...waived.flatMap(({ id, waiver, summary }) => [
      entry('waived', id, `waived until ${waiver?.until ?? '—'}: ${waiver?.reason ?? ''}`),
      `  ${printable(summary)}`,
    ]),
    ...partly.map(({ requirement, part, until, reason }) =>
      entry('waived', `${requirement}, ${part ?? 'all'}`, `waived until ${until}: ${reason}`),
    ),
  ];
}

/** One line per section of the specification: a sign and an ID for each requirement. */
function sections(report: Report, paint: Paint): string[] {
  const groups = [...bySection(report)];
  const width = Math.max(0, ...groups.map(([title]) => title.length));
  return groups.map(([title, members]) => {
    const counts = `${members.filter((each) => each.verdict === 'pass').length}/${members.length}`;
    return `${title.padEnd(width)}  ${counts.padStart(5)}  ${members.map((each) => mark(each.verdict, paint)).join('')}`;
  });
}

/** @param explaining the command that explains the first failure; null if there is none */
function footer(report: Report, explaining: string | null, paint: Paint): string[] {
  const { isTold, told } = explain(report);
  const { own, following } = failuresOf(report);
  const named = (which: readonly ReportedVerdict[], what: string): string[] =>
    which.length === 0 ? [] : [`${which.length} ${what}: ${which.map(({ id }) => id).join(', ')}`];
  const [fail, cause] = own.length === 1 ? ['fails', 'it'] : ['fail', 'them'];
  return [
    // The head has scrolled off the screen by now.
    ...(explaining !== null
      ? [
          paint('red', `✗ ${[...named(own, fail), ...named(following, `more because of ${cause}`)].join('; ')}`),
          paint('dim', 'For the whole argument, to paste into a bug report, run:'),
          paint('dim', printable(explaining)),
        ]
      : []),
    ...(isTold && told !== null ? [`limiter    ${printable(told)}`] : []),
    ...(report.load?.warnings ?? []).map((each) => paint('yellow', `load       ${printable(each)}`)),
    ...(report.load?.ramp ? rampSentences(report.load.ramp) : []).map((each) => `ramp       ${each}`),
    ...[
      requestsText(report),
      `${report.suite.name} ${report.suite.version}, trace ${report.digests.trace.slice(0, 16)}…`,
    ].map((each) => paint('dim', printable(each))),
  ];
}

function clauseText(verdict: ReportedVerdict): string {
  return `clause ${verdict.clauses.join(', ')}, ${verdict.level}`;
}

function mark(verdict: VerdictName, paint: Paint): string {
  return paint(STYLE[verdict], signOf(verdict));
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** Prose, wrapped to the width; further lines are indented to the text, not to the label. */
function wrap(line: string): string[] {
  const width = (text: string): number => stripVTControlCharacters(text).length;
  const plain = stripVTControlCharacters(line);
  if (plain.length <= COLUMNS || /^\s*#/.test(plain)) return [line];
  const [lead = ''] = /^\s*(?:(?:looks like|cause|do|so also|limiter|ramp) +|[›✓✗?~–!] )?/.exec(plain) ?? [];
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(/(?<=\S)(?= )/)) {
    if (width(current) > lead.length && width(current + word) > COLUMNS) {
      lines.push(current);
      current = `${' '.repeat(lead.length)}${word.trimStart()}`;
    } else current += word;
  }
  return [...lines, current];
}

/** Pads each column to its widest cell. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
