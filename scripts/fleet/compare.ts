import type { FleetServer, Language } from './servers.ts';

/** What `certify` said of a server. */
export interface FleetResult {
  readonly server: FleetServer;
  readonly exit: number | null;
  readonly failed: readonly string[];
  readonly inconclusive: readonly string[];
}

/**
 * How what was said compares with what is known. `open`: nothing wrong was said, and not enough, as on a machine too
 * busy to tell.
 */
export interface Comparison {
  readonly kind: 'agrees' | 'open' | 'disagrees';
  readonly text: string;
}

/** Compares what was said with what is known. */
export function compare({ server: { breaks, may }, exit, failed, inconclusive }: FleetResult): Comparison {
  const wrong = failed.filter((id) => !breaks.includes(id) && !may.includes(id));
  if (wrong.length > 0) return { kind: 'disagrees', text: `fails ${wrong.join(', ')}, which it keeps` };
  const asKnown = breaks.length === 0 ? exit === 0 : failed.some((id) => breaks.includes(id));
  if (asKnown) return { kind: 'agrees', text: 'yes' };
  if (exit !== 0 && exit !== 1) {
    return { kind: 'open', text: `was left undecided (exit ${exit}): ${inconclusive.join(', ') || 'no report'}` };
  }
  return { kind: 'disagrees', text: `${breaks.join(', ')} did not fail (exit ${exit})` };
}

const LANGUAGES: Readonly<Record<Language, string>> = { node: 'Node.js', python: 'Python', go: 'Go' };

/** The results as Markdown tables, one for each language; a verdict that does not agree with what is known says so. */
export function fleetTable(results: readonly FleetResult[]): string {
  const byLanguage = Map.groupBy(results, ({ server }) => server.language);
  return [...byLanguage].map(([language, own]) => `### ${LANGUAGES[language]}\n\n${tableOf(own)}`).join('\n\n');
}

function tableOf(results: readonly FleetResult[]): string {
  const rows = results.map((result) => {
    const { server, exit, failed } = result;
    const said = failed.length > 0 ? `fails ${failed.join(', ')}` : exit === 0 ? 'conforms' : 'undecided';
    const { kind, text } = compare(result);
    const verdict = kind === 'agrees' ? said : `${said}; ${kind}: ${text}`;
    return `| ${[server.library, server.known, verdict].join(' | ')} |`;
  });
  return ['| Library | Known fact | Verdict |', '| ------- | ---------- | ------- |', ...rows].join('\n');
}
