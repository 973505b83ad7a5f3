/** One parameter of a mechanism: all values from `low` to `high`. */
export interface Dimension {
  readonly low: number;
  readonly high: number;
  /** Values closer than this are not distinguished. 1 with `whole`: the values are whole numbers. */
  readonly finest: number;
  readonly whole: boolean;
}

export interface Side {
  readonly low: number;
  readonly high: number;
}

/** The values in a box, as one side for each dimension. */
export type Box = readonly Side[];

/**
 * Searches for parameters that explain something. It bisects the box of all parameters, depth first, until a part is
 * ruled out or too small to split, so what is ruled out is so for every value in it. It stops at the first part that
 * cannot be split.
 *
 * @param survives whether some values in the box may explain it; `finest`: the box will not be split further
 * @param most stops (undecided, so surviving) after this many boxes
 * @param order which side of a box is bisected
 */
export function searchBox(
  dimensions: readonly Dimension[],
  survives: (box: Box, finest: boolean) => boolean,
  most: number,
  order: Order = (all, box) => widest(all, box),
): void {
  const stack: Box[] = [dimensions.map(({ low, high }) => ({ low, high }))];
  for (let tried = 0; ; tried++) {
    const box = stack.pop();
    if (!box) return;
    const split = order(dimensions, box);
    const finest = split === null || tried > most;
    if (!survives(box, finest)) continue;
    if (finest) return;
    const [lower, upper] = halves(dimensions, box, split);
    stack.push(upper, lower);
  }
}

/** Which dimension of a box is split next; null if none can be. */
export type Order = (dimensions: readonly Dimension[], box: Box) => number | null;

/**
 * The dimension that is furthest from its finest.
 *
 * @param among indices of the dimensions to choose from; absent: all
 */
export function widest(
  dimensions: readonly Dimension[],
  box: Box,
  among: (index: number) => boolean = () => true,
): number | null {
  let found: number | null = null;
  let most = 1;
  for (const [index, dimension] of dimensions.entries()) {
    const values = valuesOf(dimension, box[index]);
    if (values <= most || !among(index)) continue;
    most = values;
    found = index;
  }
  return found;
}

function valuesOf({ finest, whole }: Dimension, side: Side | undefined): number {
  if (!side) return 0;
  return whole ? side.high - side.low + 1 : (side.high - side.low) / finest;
}

function halves(dimensions: readonly Dimension[], box: Box, at: number): readonly [Box, Box] {
  const whole = dimensions[at]?.whole ?? false;
  const half = (side: Side, upper: boolean): Side => {
    const middle = (side.low + side.high) / 2;
    const cut = whole ? Math.floor(middle) : middle;
    return upper ? { low: whole ? cut + 1 : cut, high: side.high } : { low: side.low, high: cut };
  };
  const part = (upper: boolean) => box.map((side, index) => (index === at ? half(side, upper) : side));
  return [part(false), part(true)];
}
