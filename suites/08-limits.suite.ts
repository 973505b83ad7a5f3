import { describe } from 'vitest';
import { requires } from './requires.ts';

describe('8 Limits: the thresholds', () => {
  requires('LIMIT-R', {
    clause: '8',
    statement: 'A key gets 100 read operations in a window, and the 101st is refused.',
    tried: 'a fresh budget of reads spent by a burst, in several windows and on several keys',
    judgedBy: 'src/judge/limits',
  });

  requires('LIMIT-W', {
    clause: '8',
    statement: 'A key gets 30 write operations in a window, and the 31st is refused.',
    tried: 'a fresh budget of writes spent by a burst, in several windows and on several keys',
    judgedBy: 'src/judge/limits',
  });

  requires('LIMIT-WINDOW', {
    clause: '8',
    statement:
      'A spent budget is not back before the window ends, and is back when it has ended. The length is reported as a measured interval; it fails where that interval lies outside 60 s ± 1 s.',
    tried: 'a spent budget polled until it is back, or left in silence, twice',
    judgedBy: 'src/judge/limits',
  });

  requires('LIMIT-KEY', {
    clause: '5.6, 8',
    statement: "Spending one key's budget leaves every other key's untouched.",
    tried: "each key's budget spent while the others are not",
    judgedBy: 'src/judge/limits',
  });

  requires('LIMIT-SCOPE', {
    clause: '8',
    statement:
      'All read operations of a key share one budget, over all resource groups, paths and query strings; so do all write operations.',
    tried: 'further operations, groups and paths on a budget that one operation has spent',
    judgedBy: 'src/judge/limits',
  });

  requires('LIMIT-RW', {
    clause: '8',
    statement: 'Reads and writes have a budget each: spending one leaves the other untouched.',
    tried: 'reads and writes of one key spent apart',
    judgedBy: 'src/judge/limits',
  });

  requires('LIMIT-HEADER', {
    clause: '5.2, 5.6',
    statement: 'The two ways of sending a key draw on the same budget.',
    tried: 'a spent budget asked for with the key in the other header',
    judgedBy: 'src/judge/limits',
  });

  requires('LIMIT-EVADE', {
    clause: '5.6',
    statement:
      'A budget cannot be evaded: not by a new connection, a forged `X-Forwarded-For` or `Forwarded`, a changed `User-Agent`, a query string, the case or a trailing slash of a path, or spaces around the key.',
    tried: 'a spent budget asked for over new connections, with forged addresses, other agents, queries and paths',
    judgedBy: 'src/judge/limits',
  });

  requires('LIMIT-ANON', {
    clause: '5.6',
    statement: 'Requests without a valid key are not counted against any key.',
    tried: 'requests without an accepted key while a budget is counted',
    judgedBy: 'src/judge/limits',
  });

  requires('LIMIT-ATOMIC', {
    clause: '8',
    statement:
      'No window lets more than the limit through, and no two answers of one window carry the same remaining value (with a refund or a mechanism that explains it taken into account).',
    tried: 'more requests than are left, at the same moment, each on a connection of its own',
    judgedBy: 'src/judge/limits',
  });

  requires('LIMIT-HISTORY', {
    clause: '8',
    statement:
      'The whole recorded run can be explained by one deployment that obeys the statements above: one window mechanism, the same for all keys of a kind (reads and writes may differ), each budget with its own phase where windows are a key’s own: fixed windows on a grid or from the first request, a sliding log, a sliding counter. It is the last resort: it fails only where no deviation that breaks another requirement explains the run, and names nothing then. A token bucket, GCRA or leaky bucket has no window in which 100 are left: it fails LIMIT-WINDOW, and is named.',
    tried: 'everything that was sent, taken together',
    judgedBy: 'src/judge/limits',
  });

  requires('LIMIT-O1', {
    clause: '8',
    statement:
      'Which mechanism; the unit of the reset marker; the clock skew; whether refused requests, 400s, 403s and 404s are counted; retry guidance and other rate-limit headers; HEAD and OPTIONS.',
    tried: 'everything that was sent, taken together',
    judgedBy: 'src/judge/limits',
  });
});
