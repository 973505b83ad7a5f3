import type { Event } from './history.ts';
import type { Finer, Model } from './model.ts';
import { searchBox, widest } from './search.ts';

/**
 * Searches the positions of bursts around the boundaries of a model for one that explains the history, which the model
 * itself does not contradict.
 *
 * @param survives whether a part of the model may explain it; `last`: the part will not be split further
 * @param failing the request that contradicted the last part: the bursts that affect it are settled first, and the
 * others seldom have to be (Lecoutre et al. 2009, reasoning from last conflicts)
 * @returns whether some part is left
 */
export function searchBursts(
  { sizes, starts, part }: Finer,
  survives: (model: Model, last: boolean) => boolean,
  { most, window, failing }: { readonly most: number; readonly window: number; failing(): Event | null },
): boolean {
  let isOpen = false;
  searchBox(
    sizes.map((size) => ({ low: 0, high: size, finest: 1, whole: true })),
    (after, last) => {
      const fits = survives(part(after), last);
      isOpen ||= fits && last;
      return fits;
    },
    most,
    (dimensions, box) => {
      const weighs = (index: number): boolean => weighsOn(starts[index], failing(), window);
      return widest(dimensions, box, weighs) ?? widest(dimensions, box);
    },
  );
  return isOpen;
}

/** Whether the position of a burst at a boundary affects a request: the boundary of its bucket or of the one before. */
function weighsOn(boundary: number | undefined, event: Event | null, window: number): boolean {
  return boundary !== undefined && event !== null && boundary <= event.to && boundary > event.from - 2.5 * window;
}
