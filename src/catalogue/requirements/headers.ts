import { derived, fixed } from '../requirement.ts';

/** Clause 8: the three headers. */
export const HEADERS_REQUIREMENTS = [
  fixed('HDR-1', ['8.2'], {
    title: 'The three headers on every response',
    statement:
      'Every response carries `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, judged apart for each status seen (200, 400, 401, 403, 404, 429, 500) and each operation.',
    witnesses: 6,
  }),
  fixed('HDR-2', ['8.2'], {
    title: 'Each header is one integer',
    statement: 'Each of the three headers is a single integer in decimal digits.',
    witnesses: 6,
  }),
  fixed('HDR-3', ['8'], {
    title: 'X-RateLimit-Limit is the limit that applies',
    statement: '`X-RateLimit-Limit` is 100 on a read operation and 30 on a write operation.',
    dependsOn: ['HDR-2'],
    witnesses: 2,
  }),
  fixed('HDR-4', ['8.2'], {
    title: 'X-RateLimit-Remaining is what is left',
    statement:
      '`X-RateLimit-Remaining` is the number of requests left in the current window: never negative, never above the limit, and exactly the limit less what was counted in the window, as some admissible mechanism counts.',
    dependsOn: ['HDR-2'],
    witnesses: 10,
  }),
  fixed('HDR-5', ['8.2'], {
    title: 'Remaining and refusals agree',
    statement:
      '`X-RateLimit-Remaining` is 0 on a 429, and no request is refused while an earlier, completed answer in the same window left a remaining budget for it.',
    dependsOn: ['HDR-2'],
    witnesses: 2,
  }),
  fixed('HDR-6', ['8.2'], {
    title: 'X-RateLimit-Reset is a large integer',
    statement:
      '`X-RateLimit-Reset` is a time marker in the form of a large integer: at least 1000000, so that a count of seconds to go is none. Its unit is inferred and reported.',
    dependsOn: ['HDR-2'],
    witnesses: 2,
  }),
  derived('HDR-7', ['8.2'], {
    title: 'The marker is where the window resets',
    statement:
      'The marker does not lie in the past when sent, nor more than one window in the future, and the budget is back once it has passed (one slot for a sliding log, up to one slot’s time later for a sliding counter; within one unit of rounding and the clock error measured in the run).',
    dependsOn: ['HDR-2', 'HDR-6'],
    witnesses: 2,
  }),
  derived('HDR-8', ['8.2'], {
    title: 'The marker stands still, or moves forward',
    statement:
      'Within one window of a fixed-window mechanism the marker does not move; with a sliding one it never goes back. A wobble of at most one unit plus the round trip passes with a note.',
    dependsOn: ['HDR-2', 'HDR-6'],
    witnesses: 2,
  }),
];
