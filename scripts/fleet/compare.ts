import type { FleetServer } from './servers.ts';

/** What `certify` said of a server. */
export interface FleetResult {
  readonly server: FleetServer;
  readonly exit: number | null;
  readonly failed: readonly string[];
  readonly inconclusive: readonly string[];
}

/** Whether what was said agrees with what is known: null where it does, else what does not, in words. */
export function disagreement({ server: { breaks, may }, exit, failed, inconclusive }: FleetResult): string | null {
  const wrong = failed.filter((id) => !breaks.includes(id) && !may.includes(id));
  if (wrong.length > 0) return `fails ${wrong.join(', ')}, which it keeps`;
  if (breaks.length === 0) return exit === 0 ? null : `was left undecided (exit ${exit}): ${inconclusive.join(', ')}`;
  return failed.some((id) => breaks.includes(id)) ? null : `${breaks.join(', ')} did not fail (exit ${exit})`;
}

/** The results as a Markdown table. */
export function fleetTable(results: readonly FleetResult[]): string {
  const rows = results.map((result) => {
    const { server, exit, failed } = result;
    const said = failed.length > 0 ? `fails ${failed.join(', ')}` : exit === 0 ? 'conforms' : 'undecided';
    return `| ${[server.library, server.language, server.known, said, disagreement(result) ?? 'yes'].join(' | ')} |`;
  });
  return [
    '| Library | Language | What is known of it | What was said | As known |',
    '| ------- | -------- | ------------------- | ------------- | -------- |',
    ...rows,
  ].join('\n');
}
