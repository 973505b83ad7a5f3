import type { Report } from './report.ts';
import { duration, plural, withCommas } from './wording.ts';

/** `1,446 requests (13 without an answer) in 2 min 6 s to https://…`: what was sent, where to, and for how long. */
export function requestsText({ conditions: { requests, failures }, run, target }: Report): string {
  const silent = Object.values(failures).reduce((sum, each) => sum + each, 0);
  const without = silent > 0 ? ` (${withCommas(silent)} without an answer)` : '';
  return `${plural(requests, 'request')}${without} in ${duration(run.seconds)} to ${target.baseUrl}`;
}
