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
 * @throws CertificateError if the file cannot be used
 */
export function checkAccessLog(trace: Trace, { file, nonce }: { file: string; nonce: string | null }, say: Say): void {
  const start = trace.header.epoch / 1000;
  const end = start + (trace.footer?.ended ?? 0) / 1000;
  const { entries, unread } = readAccessLog(file, nonce, [start - AROUND, end + AROUND]);
  const { answered, missing, foreign, withNonce, ahead } = matchLog(trace, entries);
  const wrong = [
    ...(missing.length > 0
      ? [`it lacks ${missing.length} of the ${answered} answered requests, first request ${missing[0]}`]
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
    return;
  }
  const clocks = ahead === 0 ? '' : `, by a clock that is ${ahead.toFixed(1)} s ahead`;
  const marked =
    withNonce === 0
      ? 'none has a nonce, because the log format has neither the header nor the User-Agent'
      : `${withNonce} lines have the nonce, and all belong to the run`;
  say(
    'access log',
    'established',
    `The access log has each of the ${answered} answered requests at its time${clocks}; ${marked}.`,
  );
}

function example(entry: { method: string; path: string; status: number } | undefined): string {
  return entry ? shown(`${entry.method} ${entry.path}, ${entry.status}`) : '';
}
