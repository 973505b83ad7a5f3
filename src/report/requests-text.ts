import type { Failure } from '../trace/exchange.ts';
import type { Report } from './report.ts';
import { duration, plural, withCommas } from './wording.ts';

/** Why a request has no answer, as far as a stranger can do something with it. */
const CAUSES: Readonly<Partial<Record<Failure, string>>> = {
  timeout: 'because none came in time',
  reset: 'because the connection was closed',
  refused: 'because the connection was refused',
};

/** `1,446 requests (13 without an answer) in 2 min 6 s to https://…`: what was sent, where to, and for how long. */
export function requestsText({ conditions, run, target }: Report): string {
  const silent = silentOf(conditions);
  const without = silent > 0 ? ` (${withCommas(silent)} without an answer${silenceText(conditions)})` : '';
  return `${plural(conditions.requests, 'request')}${without} in ${duration(run.seconds)} to ${target.baseUrl}`;
}

/** What most of those without an answer have in common: `, mostly because none came in time`; else nothing. */
export function silenceText(conditions: Report['conditions']): string {
  const { failures, together = 0 } = conditions;
  const silent = silentOf(conditions);
  if (together > silent / 2)
    return `, ${together < silent ? 'most' : 'all'} sent at once on one connection, which not every server can answer`;
  const [cause, count] = Object.entries(failures).find(([, each]) => each > silent / 2) ?? ['unknown', 0];
  const text = CAUSES[cause as Failure];
  return text === undefined ? '' : `, ${count < silent ? 'mostly ' : ''}${text}`;
}

function silentOf({ failures }: Report['conditions']): number {
  return Object.values(failures).reduce((sum, each) => sum + each, 0);
}
