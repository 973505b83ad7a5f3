import { derived, fixed, observed } from '../requirement.ts';

/** Clause 8: the limits. */
export const LIMITS_REQUIREMENTS = [
  fixed('LIMIT-R', ['8'], {
    title: '100 reads, and not one more',
    statement: 'A key gets 100 read operations in a window, and the 101st is refused.',
    witnesses: 101,
  }),
  fixed('LIMIT-W', ['8'], {
    title: '30 writes, and not one more',
    statement: 'A key gets 30 write operations in a window, and the 31st is refused.',
    witnesses: 31,
  }),
  fixed('LIMIT-WINDOW', ['8'], {
    title: 'The window is one minute',
    statement:
      'A spent budget is not back before the window ends, and is back when it has ended. The length is reported as a measured interval; it fails where that interval lies outside 60 s ± 1 s.',
    witnesses: 2,
  }),
  fixed('LIMIT-KEY', ['5.6', '8'], {
    title: 'The budget belongs to the key',
    statement: "Spending one key's budget leaves every other key's untouched.",
    witnesses: 2,
  }),
  derived('LIMIT-SCOPE', ['8'], {
    title: 'The scope is the key and nothing finer',
    statement:
      'All read operations of a key share one budget, over all resource groups, paths and query strings; so do all write operations.',
    witnesses: 2,
  }),
  derived('LIMIT-RW', ['8'], {
    title: 'Reads and writes have a budget each',
    statement: 'Reads and writes have a budget each: spending one leaves the other untouched.',
    witnesses: 2,
  }),
  derived('LIMIT-HEADER', ['5.2', '5.6'], {
    title: 'Both ways of sending a key draw on one budget',
    statement: 'The two ways of sending a key draw on the same budget.',
    dependsOn: ['AUTH-2', 'AUTH-3'],
    witnesses: 2,
  }),
  derived('LIMIT-EVADE', ['5.6'], {
    title: 'A budget cannot be evaded',
    statement:
      'A budget cannot be evaded: not by a new connection, a forged `X-Forwarded-For` or `Forwarded`, a changed `User-Agent`, a query string, the case or a trailing slash of a path, or spaces around the key.',
    witnesses: 4,
  }),
  derived('LIMIT-ANON', ['5.6'], {
    title: 'Unauthenticated requests cost no key',
    statement: 'Requests without a valid key are not counted against any key.',
    witnesses: 2,
  }),
  derived('LIMIT-ATOMIC', ['8'], {
    title: 'The limit holds for requests that arrive at once',
    statement:
      'No window lets more than the limit through, and no two answers of one window carry the same remaining value (with a refund or a mechanism that explains it taken into account).',
    witnesses: 20,
  }),
  derived('LIMIT-HISTORY', ['8'], {
    title: 'One deployment explains the whole run',
    statement:
      'The whole recorded run can be explained by one deployment that obeys the statements above: one window mechanism, the same for all keys of a kind (reads and writes may differ), each budget with its own phase where windows are a key’s own: fixed windows on a grid or from the first request, a sliding log, a sliding counter. It is the last resort: it fails only where no deviation that breaks another requirement explains the run, and names nothing then. A token bucket, GCRA or leaky bucket has no window in which 100 are left: it fails LIMIT-WINDOW, and is named.',
    witnesses: 20,
  }),
  observed('LIMIT-O1', ['8'], {
    title: 'What the deployment chose',
    statement:
      'Which mechanism; the unit of the reset marker; the clock skew; whether refused requests, 400s, 403s and 404s are counted; retry guidance and other rate-limit headers; HEAD and OPTIONS.',
  }),
];
