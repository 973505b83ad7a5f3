import { classOf, isOfClass } from '../../deployment/attribute.ts';
import { type Deviation, sentence } from '../../deployment/operators.ts';
import type { KindDiagnosis } from '../../diagnosis/diagnose.ts';
import type { Explained } from '../../diagnosis/explained.ts';
import { byMarker, inOrder } from '../../diagnosis/world.ts';
import { findDeficits, findEarlyRefusal } from '../../oracle/capacity.ts';
import { type Event, type History, WINDOW } from '../../oracle/history.ts';
import type { Proof } from '../verdict.ts';
import { withClass } from './class-between.ts';
import { coincidenceText } from './coincidence-text.ts';
import { type Differ, differingAlone, wholeElsewhere } from './evasion-showing.ts';
import { refusedAfterFailures } from './failure-showing.ts';
import { isAbout } from './own-keys.ts';
import { allFirst, countedTogether, MOST_COMPARED } from './own-showings.ts';
import { ownWays } from './own-ways.ts';
import { evidenceOf, proof } from './proofs.ts';
import { refutation } from './refutation.ts';
import { takenBetween } from './taken-between.ts';
import { chargedIn, withTaken } from './taken-by.ts';
import { overshoot, pairShows, type Shown } from './window-counts.ts';

/**
 * The proof that a deployment deviates: first the fewest requests that show the deviation, then what refutes each
 * conforming mechanism.
 *
 * @param others the diagnoses of the other kinds
 * @param explained what explains the run by the deviation: its world tells what is counted in which budget, and its
 *   shape which mechanism the deployment has apart from this
 */
export function deviationProof(
  expected: string,
  deviation: Deviation,
  diagnosis: Pick<KindDiagnosis, 'kind' | 'conforming' | 'world'>,
  others: readonly Pick<KindDiagnosis, 'world'>[],
  explained: Pick<Explained, 'world' | 'shape'> | null = null,
): Proof {
  const { world } = diagnosis;
  const isOwn = isAbout(deviation);
  const all = [...world.histories, ...others.flatMap((other) => other.world.histories)];
  const found =
    afterFailures(deviation, all.filter(isOwn)) ??
    takenBetween(deviation, world.histories.filter(isOwn), all) ??
    showing(deviation, world.histories);
  const taken = found && withTaken(found, deviation, all, chargedIn(explained?.world.histories ?? []));
  const shown = taken && withClass(taken, deviation, all);
  const about = deviation.operator === 'marker-header' ? 'X-RateLimit-Reset' : '';
  const own = { ...world, histories: world.histories.filter(isOwn) };
  const against = refutation({ world: own }, about, explained?.shape?.mechanism);
  const byChance = coincidenceText(diagnosis);
  const argument = [...(shown?.argument ?? []), ...against.argument, ...(byChance ? [byChance] : [])];
  return proof(
    expected,
    sentence(deviation),
    evidenceOf([...(shown?.events ?? []).map(({ exchange }) => exchange), ...against.evidence]),
    argument,
  );
}

/**
 * The fewest requests that show what is wrong: two answers that contradict each other, or a window with too many
 * requests.
 */
export function showing(deviation: Deviation | null, all: readonly History[]): Shown | null {
  const differ = differing(deviation);
  const histories = deviation ? all.filter(isAbout(deviation)) : all;
  const opens = deviation?.operator === 'lost-updates' && deviation.parameters.when === 'window is made';
  const only = deviation?.operator === 'shared-keys' ? deviation.parameters.only : undefined;
  const isShared = ({ exchange }: Event): boolean => only !== undefined && isOfClass(only, exchange);
  // Where others take from a budget, more than the limit show what else is wrong with it, and not that.
  const others = deviation?.operator === 'shared-kinds' || deviation?.operator === 'shared-keys';
  const ofCounts = [
    (history: History) => sameLeft(history, differ),
    ...(others ? [deficit, overshoot] : [overshoot, deficit]),
    (history: History) => sameLeft(history, () => true),
  ];
  const alone = differingAlone(deviation);
  const ofEvasion = alone
    ? [(history: History) => sameLeft(history, alone), (history: History) => wholeElsewhere(history, alone)]
    : [];
  const ways = [
    ...(only ? [() => countedTogether(histories, isShared)] : []),
    ...(opens ? [() => first(histories, allFirst)] : []),
    ...ownWays(deviation, histories).map((way) => () => first(histories, way)),
    // What is wrong with how requests are counted shows nothing of a wrong marker.
    ...(deviation?.operator === 'marker-header'
      ? []
      : [...ofEvasion, ...ofCounts].map((way) => () => first(histories, way))),
  ];
  for (const way of ways) {
    const found = way();
    if (found) return found;
  }
  return null;
}

/** A refusal of a key after its failed requests, of either kind; null: the deviation is another, or none is seen. */
function afterFailures(deviation: Deviation, all: readonly History[]): Shown | null {
  const rule = deviation.operator === 'early-refusal' ? deviation.parameters.afterFailures : undefined;
  if (!rule) return null;
  const ofKeys = [...Map.groupBy(all, ({ key }) => key).values()];
  return first(ofKeys, (own) => refusedAfterFailures(inOrder(own.flatMap(({ events }) => events)), rule));
}

function first<Part>(parts: readonly Part[], show: (part: Part) => Shown | null): Shown | null {
  for (const part of parts) {
    const found = show(part);
    if (found) return found;
  }
  return null;
}

/** How two requests must differ to show the deviation. */
function differing(deviation: Deviation | null): Differ {
  if (deviation?.operator === 'finer-scope') {
    const { attribute } = deviation.parameters;
    return (one, other) => classOf(attribute, one.exchange) !== classOf(attribute, other.exchange);
  }
  return () => false;
}

/** Two successive answers of one window, the later of which has at least as much left. */
function sameLeft({ events, unit }: History, differ: Differ): Shown | null {
  // If a marker stays for longer than a window, it does not identify a window.
  const stays = new Set(
    [...byMarker(events)]
      .filter(([, own]) => (own.at(-1)?.from ?? 0) - (own[0]?.to ?? 0) > WINDOW)
      .map(([marker]) => marker),
  );
  const answered = events.filter(
    ({ outcome, remaining, reset }) =>
      outcome === 'accepted' && remaining !== null && reset !== null && !stays.has(reset),
  );
  for (const [index, later] of answered.entries()) {
    const earlier = answered
      .slice(Math.max(0, index - MOST_COMPARED), index)
      .find(
        (other) =>
          other.to < later.from &&
          Math.abs((other.reset ?? 0) - (later.reset ?? 0)) <= (unit ?? 0) &&
          later.from - other.from < WINDOW / 2 &&
          (later.remaining ?? 0) >= (other.remaining ?? 0) &&
          differ(other, later),
      );
    if (!earlier) continue;
    const says = earlier.remaining === later.remaining ? `both say ${later.remaining} left` : 'the later has more left';
    return pairShows(
      earlier,
      later,
      `#${later.exchange.seq} was sent after #${earlier.exchange.seq} had been answered, with the same key and in the same window, and ${says}.`,
    );
  }
  return null;
}

/** An answer that leaves some requests, and a later one that has fewer left than the requests between explain. */
function deficit(history: History): Shown | null {
  const found = findDeficits(history, 1)[0] ?? findEarlyRefusal(history);
  if (!found) return null;
  const { earlier, later, between } = found;
  const others = between === 0 ? 'No other' : `At most ${between} other`;
  const requests = `${history.kind}${between > 1 ? 's' : ''} of the key`;
  const left = earlier.remaining ?? 0;
  const yet =
    later.outcome === 'refused'
      ? `#${later.exchange.seq} was refused, though #${earlier.exchange.seq} left ${left}`
      : `${left - (later.remaining ?? 0)} fewer are left`;
  return pairShows(
    earlier,
    later,
    `${others} ${requests} can have been counted between #${earlier.exchange.seq} and #${later.exchange.seq}, and yet ${yet}.`,
  );
}
