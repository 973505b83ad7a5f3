import type { Profile } from '../../profile/profile.ts';
import type { Trace } from '../../trace/trace.ts';
import { type Say, shown } from '../verification.ts';
import { matchLog } from './match-log.ts';
import { readAccessLog } from './read-log.ts';

/** Seconds by which the clocks of a deployment and of its tester may differ. */
const MOST_AHEAD_S = 600;

/** How long before and after the run lines are considered, in ms: the clocks may differ. */
const AROUND = (MOST_AHEAD_S + 60) * 1000;

/**
 * Compares a trace with the access log of the deployment, which its operator or the certifier provides.
 *
 * @param nonce the run's nonce, which marks its lines; null: it had none
 * @returns whether the log witnesses the run: it has all its requests, and the nonce shows that there were no others
 * @throws CertificateError if the file cannot be used
 */
export function checkAccessLog(
  trace: Trace,
  { file, nonce }: { file: string; nonce: string | null },
  say: Say,
): boolean {
  const start = trace.header.epoch / 1000;
  const end = start + (trace.footer?.ended ?? 0) / 1000;
  const { entries, unread } = readAccessLog(file, nonce, [start - AROUND, end + AROUND]);
  const agent = setsAgent(trace.header.profile);
  const witnesses = entries.filter(({ instead }) => instead === null || (agent && instead === 'agent'));
  const others = entries.length - witnesses.length;
  const { answered, missing, foreign, withNonce, ahead } = matchLog(trace, witnesses);
  const besides = others === 0 ? '' : ` (${others} of its lines at that time have the nonce of another run, or none)`;
  const wrong = [
    ...(missing.length > 0
      ? [`it lacks ${missing.length} of the ${answered} answered requests, first request ${missing[0]}${besides}`]
      : []),
    ...(foreign.length > 0
      ? [`it has ${foreign.length} lines with the nonce for requests that the trace lacks (${example(foreign[0])})`]
      : []),
    ...(Math.abs(ahead) > MOST_AHEAD_S ? [`its times are ${ahead.toFixed(0)} s away from those of the trace`] : []),
  ];
  if (wrong.length > 0) {
    const lines = unread === 0 ? '' : ` ${unread} of its lines could not be read.`;
    say(
      'access log',
      'refuted',
      `The access log does not fit this run: ${wrong.join('; ')}.${lines} Check that it is the complete log of every server that answers.`,
    );
    return false;
  }
  const clocks = ahead === 0 ? '' : `, by a clock that is ${ahead.toFixed(1)} s ahead`;
  const marked =
    withNonce === 0
      ? 'none of its lines has a nonce, so it does not show whose requests these were, nor whether the run sent others'
      : `${withNonce} lines have the nonce, and all belong to the run`;
  const text = `The access log has each of the ${answered} answered requests at its time${clocks}; ${marked}.`;
  say('access log', 'established', text);
  return withNonce > 0;
}

/** Whether requests of the run have a User-Agent that the profile sets. A trace does not say which. */
function setsAgent({ http, operations, probes }: Profile): boolean {
  const all = [http, ...operations, ...Object.values(probes).flat()];
  return all.some(({ headers }) => Object.keys(headers).some((name) => name.toLowerCase() === 'user-agent'));
}

function example(entry: { method: string; path: string; status: number } | undefined): string {
  return entry ? shown(`${entry.method} ${entry.path}, ${entry.status}`) : '';
}
