import { type Episode, isLeast, JOB, requestsIn, TICK } from './episode.ts';
import { bitsOfNumber } from './proposal.ts';
import type { LengthWithin } from './shown-time.ts';

/**
 * Whether each key was used, and at which rate, its own or the same for all: all the time, or from one moment to
 * another; and how many requests came before each answer that lacks some, if requests come by chance at that rate (a
 * Poisson process). Where a counter shows only a share, more may have come, as many as that rate gives.
 *
 * @param shown for how long answers of each key show use by others; left out: all the time
 */
export function bitsOfSteadyUse(
  episodes: readonly Episode[],
  keys: number,
  time: number,
  shown: ReadonlyMap<string, LengthWithin>,
): number {
  const when = 2 * Math.log2(time / JOB);
  const used = [...Map.groupBy(episodes, ({ key }) => key)].map(([key, own]) => {
    const answers = answersOf(own);
    const shownIn = shown.get(key) ?? ((from: number, to: number) => to - from);
    const least = answers.reduce((sum, { from, to }) => sum + to - from, 0);
    const length = Math.max(JOB, least, Math.min(time, shownIn(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)));
    const ever = { answers, length };
    return { ever, span: spanOf(answers, shownIn) ?? ever };
  });
  const apart = used.reduce((sum, { ever, span }) => sum + Math.min(atOneRate([ever]), when + atOneRate([span])), 0);
  const alike = [atOneRate(used.map(({ ever }) => ever)), when + atOneRate(used.map(({ span }) => span))];
  return keys + Math.min(apart, ...alike);
}

/** A time of this length (µs) in which a key was used, and the answers that show it. */
interface Use {
  readonly answers: readonly Answer[];
  readonly length: number;
}

/** Bits for the use of some keys at one rate: that of all their requests, or the highest seen. */
function atOneRate(uses: readonly Use[]): number {
  const answers = uses.flatMap((use) => use.answers.map((each) => ({ ...each, width: widthOf(each, use) })));
  const length = Math.max(
    uses.reduce((sum, use) => sum + use.length, 0),
    answers.reduce((sum, { width }) => sum + width, 0),
  );
  const all = answers.reduce((sum, { requests }) => sum + requests, 0);
  const highest = Math.max(...answers.map(({ requests, width }) => requests / width));
  const rates = [all / length, ...(answers.some(({ atLeast }) => atLeast) ? [highest] : [])];
  const costs = rates.map((rate) =>
    answers.reduce(
      (sum, { width, requests, atLeast }) => {
        const came = atLeast ? Math.max(requests, Math.floor(rate * width)) : requests;
        return sum + factorialBits(came) - came * Math.log2(rate * width);
      },
      bitsOfNumber(Math.round(rate * length)) + rate * length * Math.LOG2E,
    ),
  );
  return Math.min(...costs);
}

function widthOf({ from, to }: Answer, { length }: Use): number {
  return Math.min(length, Math.max(TICK, to - from));
}

/** How many requests came before an answer that lacks them, and since when. */
interface Answer {
  readonly from: number;
  readonly to: number;
  readonly requests: number;
  /** Whether there may have been more. */
  readonly atLeast: boolean;
}

function answersOf(episodes: readonly Episode[]): readonly Answer[] {
  const inTime = [...Map.groupBy(episodes, ({ until }) => until)].sort(([one], [other]) => one - other);
  return inTime.map(([to, lacking], at) => {
    const since = Math.min(...lacking.map((each) => each.after ?? each.since));
    return {
      from: Math.max(since, inTime[at - 1]?.[0] ?? since),
      to,
      requests: requestsIn(lacking),
      atLeast: lacking.some(isLeast),
    };
  });
}

/**
 * For how long answers show the use that begins and ends with these (µs), and the answers in it: it began so long
 * before the first one as its requests take at the rate of the others. Null if there is only one.
 */
function spanOf(answers: readonly Answer[], shown: LengthWithin): Use | null {
  const [first, ...rest] = answers;
  const last = rest.at(-1);
  if (!first || !last) return null;
  const others = rest.reduce((sum, { requests }) => sum + requests, 0);
  const from = Math.max(first.from, first.to - (first.requests / others) * shown(first.to, last.to));
  const inThese = [{ ...first, from }, ...rest];
  const least = inThese.reduce((sum, each) => sum + each.to - each.from, 0);
  return { answers: inThese, length: Math.max(JOB, least, shown(from, last.to)) };
}

/** log₂ n!, exactly for few, and else by Stirling's series, to a thousandth of a bit. */
function factorialBits(n: number): number {
  if (n > 20) return (n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2 + 1 / (12 * n)) * Math.LOG2E;
  let bits = 0;
  for (let i = 2; i <= n; i++) bits += Math.log2(i);
  return bits;
}
