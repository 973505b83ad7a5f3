import { expect, test } from 'vitest';
import type { Event, History } from '../../oracle/history.ts';
import type { SearchContext } from '../proposal.ts';
import { conformingWorld } from '../world.ts';
import { refusedInShortWindows } from './refused-early.ts';

const LIMIT = 4;

/** Windows with these outcomes, in turn: `a` accepted, `r` refused. */
function historyOf(windows: readonly string[]): History {
  const events = windows.flatMap((outcomes, window) =>
    [...outcomes].map((letter, at) => ({
      ...{ from: window * 60e6 + at * 1000, to: window * 60e6 + at * 1000 + 500, reset: (window + 1) * 60e6 },
      outcome: letter === 'a' ? 'accepted' : 'refused',
    })),
  );
  return { events: events as unknown as readonly Event[], limit: LIMIT } as History;
}

test.each<[string, readonly string[], number]>([
  ['a window that is spent too soon refuses nothing early: it may be shared', ['aarr', 'aaar'], 0],
  ['what was refused before something was accepted was refused early', ['aaaara'], 1],
  ['then what a short window refused was refused early, too', ['aaaara', 'aarr'], 3],
  ['a window that is spent to the end refuses nothing early', ['aaaarr'], 0],
])('%s: %j', (_, windows, due) => {
  const world = conformingWorld([historyOf(windows)]);
  expect(refusedInShortWindows(world, {} as SearchContext).length).toBe(due);
});
