import { describe } from 'vitest';
import { requires } from './requires.ts';

describe('8 Limits: the headers', () => {
  requires('HDR-1', {
    clause: '8.2',
    statement:
      'Every response carries `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, judged apart for each status seen (200, 400, 401, 403, 404, 429, 500) and each operation.',
    tried: 'every answer of the run, by status',
    judgedBy: 'src/judge/headers.ts',
  });

  requires('HDR-2', {
    clause: '8.2',
    statement: 'Each of the three headers is a single integer in decimal digits.',
    tried: 'every answer of the run, by header',
    judgedBy: 'src/judge/headers.ts',
  });

  requires('HDR-3', {
    clause: '8',
    statement: '`X-RateLimit-Limit` is 100 on a read operation and 30 on a write operation.',
    tried: 'every answer of the run that draws on a budget, by kind',
    judgedBy: 'src/judge/header-values.ts',
  });

  requires('HDR-4', {
    clause: '8.2',
    statement:
      '`X-RateLimit-Remaining` is the number of requests left in the current window: never negative, never above the limit, and exactly the limit less what was counted in the window, as some admissible mechanism counts.',
    tried: 'single requests and bursts on a fresh budget, and single ones right after each burst',
    judgedBy: 'src/judge/limits',
  });

  requires('HDR-5', {
    clause: '8.2',
    statement:
      '`X-RateLimit-Remaining` is 0 on a 429, and no request is refused while an earlier, completed answer in the same window left a remaining budget for it.',
    tried: 'every refusal, and what the answers before it had left',
    judgedBy: 'src/judge/limits',
  });

  requires('HDR-6', {
    clause: '8.2',
    statement:
      '`X-RateLimit-Reset` is a time marker in the form of a large integer: at least 1000000, so that a count of seconds to go is none. Its unit is inferred and reported.',
    tried: 'every answer of the run',
    judgedBy: 'src/judge/header-values.ts',
  });

  requires('HDR-7', {
    clause: '8.2',
    statement:
      'The marker does not lie in the past when sent, nor more than one window in the future, and the budget is back once it has passed (one slot for a sliding log, up to one slot’s time later for a sliding counter; within one unit of rounding and the clock error measured in the run).',
    tried: 'markers beside the moment at which a spent budget comes back',
    judgedBy: 'src/judge/limits',
  });

  requires('HDR-8', {
    clause: '8.2',
    statement:
      'Within one window of a fixed-window mechanism the marker does not move; with a sliding one it never goes back. A wobble of at most one unit plus the round trip passes with a note.',
    tried: 'markers over single requests, bursts and refusals of one window',
    judgedBy: 'src/judge/limits',
  });
});
