import { ALL_LAYERS } from '../oracle/check.ts';
import { explains } from '../oracle/explain.ts';
import { type History, type Range, WINDOW } from '../oracle/history.ts';
import { phaseByMarkers } from '../oracle/marker-phase.ts';
import type { Variant } from '../oracle/variant.ts';
import { unlessSpent, type Work } from '../oracle/work.ts';
import { requestsOfOthers } from './beside-others.ts';
import { type Episode, TICK } from './episode.ts';
import { inOrder } from './world.ts';

/**
 * The episodes, each with the times at which it can have come as narrow as the answers leave them: whatever lies
 * outside contradicts the mechanism, wherever the other episodes lie. An episode keeps its times where the bound of work
 * leaves this open, or where it is known otherwise for how long it can have come.
 *
 * @param histories as recorded, without the episodes
 */
export function narrowed(
  episodes: readonly Episode[],
  histories: readonly History[],
  variant: Variant,
  work: Work,
): readonly Episode[] {
  const found = [...episodes];
  const narrow = (): void => {
    for (const history of histories) {
      const hint = phaseByMarkers(history);
      const isExplained = (changed: Episode): boolean => {
        const own = found.flatMap((each) => {
          const placed = each.event === changed.event && each.key === changed.key ? changed : each;
          const { key, requests, event, since, until } = placed;
          return key === history.key ? requestsOfOthers(requests, event, since, until) : [];
        });
        const events = inOrder([...history.events, ...own]);
        return explains(variant, { ...history, events }, ALL_LAYERS, WINDOW, hint, work) !== null;
      };
      for (const [at, episode] of found.entries()) {
        const isOpen = episode.key === history.key && episode.width === undefined;
        if (isOpen && isExplained(episode)) found[at] = narrowedOne(episode, isExplained);
      }
    }
  };
  unlessSpent(narrow, undefined);
  return found;
}

/** If its times fall into more parts than this, they are so many that smaller parts tell little. */
const MOST_PARTS = 16;

/** By bisection: parts of its times that do not explain the answers are left out. */
function narrowedOne(episode: Episode, isExplained: (episode: Episode) => boolean): Episode {
  let parts: readonly Range[] = [{ low: episode.since, high: episode.until }];
  let width = episode.until - episode.since;
  while (width > TICK && parts.length <= MOST_PARTS) {
    width /= 2;
    parts = parts
      .flatMap(({ low, high }) => [
        { low, high: low + width },
        { low: low + width, high },
      ])
      .filter(({ low, high }) => isExplained({ ...episode, since: low, until: high }));
  }
  const [first] = parts;
  const last = parts.at(-1);
  return first && last ? { ...episode, since: first.low, until: last.high, width: parts.length * width } : episode;
}
