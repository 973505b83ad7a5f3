import type { OperatorId } from '../deployment/operators.ts';
import type { Shape } from '../oracle/shapes.ts';
import { type Explained, followsNoRule, hold } from './explained.ts';
import { explainsAnyValue } from './firsts.ts';
import { mayLead } from './lead.ts';
import type { SearchContext } from './proposal.ts';
import { PROPOSERS } from './proposers.ts';
import { inShare } from './share.ts';
import { isDecided, type World } from './world.ts';

/** What is asked for, and how long to search. */
interface Question extends Omit<SearchContext, 'fitter' | 'work'> {
  /** Bound of work for one proposer, in events. */
  readonly most: number;
  /** A deviation with more bits is not examined. */
  readonly dearest: number;
}

/** Deviations that happen now and then, which explain what only some keys happen to show. */
const NOW_AND_THEN: ReadonlySet<OperatorId> = new Set([
  ...(['sporadic-weight', 'sporadic-admission', 'retried', 'early-refusal', 'lost-updates', 'late-counting'] as const),
]);

/** Deviations that no key has to itself: of the arithmetic of windows, about several keys, or now and then. */
const OF_ALL: ReadonlySet<OperatorId> = new Set([
  ...(['shared-keys', 'anonymous-charged', 'refused-beside', 'carried-over'] as const),
  ...NOW_AND_THEN,
]);

/**
 * Whether what some keys do not show may be explained by this all the same: it happens now and then, or explains almost
 * any value.
 */
export function sparesKeys({ deviations }: Explained): boolean {
  return deviations.some((each) => NOW_AND_THEN.has(each.operator) || explainsAnyValue(each));
}

/** The most sets of keys that are tried: those under the mechanisms that explain most keys. */
const MOST_SETS = 2;

/**
 * The single deviations that explain a world if they hold for some keys only, and the others conform: as where keys
 * have plans, or are spread over nodes of which one is wrong.
 */
export function forSomeKeys(world: World, question: Question): readonly Explained[] {
  return keysToBlame(world, question)
    .slice(0, MOST_SETS)
    .flatMap(({ keys, shapes }) => heldBy(keys, { ...world, shapes }, question));
}

/** Keys that some mechanisms do not explain, while they explain the others. */
interface Blamed {
  readonly keys: readonly string[];
  readonly shapes: readonly Shape[];
}

/**
 * For each mechanism the keys that it does not explain; fewest first. A key of which no request was let through or
 * refused shows nothing of a limit: what holds for all others holds for it as well, for fewer bits.
 */
function keysToBlame(world: World, question: Question): readonly Blamed[] {
  const ofKey = Map.groupBy(world.histories, ({ key }) => key);
  const telling = new Set(world.histories.flatMap(({ key, events }) => (events.some(isDecided) ? [key] : [])));
  if (telling.size < 2) return [];
  const found: { readonly keys: readonly string[]; readonly shape: Shape }[] = [];
  inShare(question.most, question, ({ fitter }) => {
    for (const shape of question.likely) {
      const isExplained = (keys: readonly string[]): boolean => {
        const histories = keys.flatMap((key) => ofKey.get(key) ?? []);
        return fitter.fit({ ...world, histories, shapes: [shape] }) !== null;
      };
      const keys = [...ofKey.keys()].filter((key) => !isExplained([key]));
      const others = [...ofKey.keys()].filter((key) => !keys.includes(key));
      const mayDiffer = keys.length > 0 && others.some((key) => telling.has(key));
      if (mayDiffer && isExplained(others)) found.push({ keys, shape });
    }
  });
  return [...Map.groupBy(found, ({ keys }) => keys.join()).values()]
    .map((alike) => ({ keys: alike[0]?.keys ?? [], shapes: alike.map(({ shape }) => shape) }))
    .sort((one, other) => one.keys.length - other.keys.length);
}

function heldBy(keys: readonly string[], world: World, question: Question): readonly Explained[] {
  const own = { ...world, histories: world.histories.filter(({ key }) => keys.includes(key)) };
  // Which of the keys are meant takes one bit for each.
  const keyBits = new Set(world.histories.map(({ key }) => key)).size;
  const dearest = question.dearest - keyBits;
  const found: Explained[] = [];
  for (const proposer of PROPOSERS) {
    const asked = { ...question, likely: world.shapes, isDear: (bits: number) => bits > dearest };
    inShare(question.most, asked, (context) => {
      for (const proposal of proposer(own, context)) {
        const [deviation, ...more] = proposal.deviations;
        if (!deviation || more.length > 0 || OF_ALL.has(deviation.operator) || followsNoRule(deviation)) continue;
        const deviations = [{ ...deviation, keys: deviation.keys ?? keys }];
        const meant = { ...proposal, deviations, bits: proposal.bits + keyBits };
        const explained = proposal.bits <= dearest && mayLead(meant, context) ? hold(meant, context) : null;
        if (explained) found.push({ ...explained, by: proposer });
      }
    });
  }
  return found;
}
