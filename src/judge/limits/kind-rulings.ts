import { requirement } from '../../catalogue/catalogue.ts';
import type { RequirementId } from '../../catalogue/requirement.ts';
import { breaks, remedy, sentence } from '../../deployment/operators.ts';
import type { KindRuling } from '../../diagnosis/kind-ruling.ts';
import { limitOf } from '../../oracle/history.ts';
import { alternativesText } from './alternatives.ts';
import { saidOfBoth } from './both-kinds.ts';
import { deviationProof, showing } from './deviation-proof.ts';
import { MEND, notBeside, UNNAMED } from './next-run.ts';
import { openRuling, partOf, undecided } from './open-ruling.ts';
import { withoutAllKeys } from './own-keys.ts';
import { evidenceOf, proof } from './proofs.ts';
import { excludesOnly, refutation } from './refutation.ts';
import { countsFromToldLimit, firstOf, isNamed, namedBy, OF_KIND } from './reported-under.ts';
import type { Ruling } from './ruling.ts';
import { unreadHeaders } from './unread-headers.ts';
import { findOvershoot, overshoot, soonestOverLimit } from './window-counts.ts';

/** Requirements that stay open if the explanation of the run has no window, or was not compared with the headers. */
const NEED_A_MODEL: ReadonlySet<RequirementId> = new Set([
  'HDR-4',
  'HDR-5',
  'HDR-7',
  'HDR-8',
  'LIMIT-R',
  'LIMIT-W',
  'LIMIT-WINDOW',
  'LIMIT-ATOMIC',
]);

/** What the diagnoses of reads and writes decide about a requirement. What both say is said once. */
export function rulingsOfKinds(id: RequirementId, found: readonly KindRuling[]): readonly Ruling[] {
  const kinds = found.map(withoutAllKeys);
  const all = kinds.flatMap((kind) =>
    rulingsOn(
      id,
      kind,
      kinds.filter((other) => other !== kind),
    ),
  );
  const ofAny = ({ summary }: Ruling): string => summary.replace(/ \((?:reads|writes) only\)/, '');
  const alike = Map.groupBy(all, (each) => `${each.verdict} ${ofAny(each)}`);
  return [...alike.values()].flatMap(([first, ...same]) => {
    if (!first) return [];
    const shortest = [first, ...same]
      .map(({ proofs = [] }) => proofs)
      .sort(
        ([one], [other]) =>
          Number(excludesOnly(one)) - Number(excludesOnly(other)) ||
          (one?.evidence.length ?? 0) - (other?.evidence.length ?? 0),
      );
    return {
      ...first,
      ...(same.length > 0 && { summary: ofAny(first) }),
      part: [first, ...same].map(({ part }) => part).join(' and '),
      witnesses: [first, ...same].reduce((sum, { witnesses }) => sum + witnesses, 0),
      ...(shortest[0] && shortest[0].length > 0 ? { proofs: shortest[0] } : {}),
    };
  });
}

/** Notes for the reader about budgets that are explained only by use before the run, under the limit of their kind. */
export function notesOn(id: RequirementId, kinds: readonly KindRuling[]): readonly string[] {
  return kinds.flatMap(({ diagnosis: { kind, conforming } }) => {
    const keys = conforming?.usedBefore ?? [];
    if (OF_KIND[id] !== kind || keys.length === 0) return [];
    return [
      `Somebody used ${keys.join(', ')} for ${kind}s before the run, so its first window was not whole. The judge allows for this. Wait two minutes before a run, and let nobody else use its keys.`,
    ];
  });
}

/**
 * What the diagnosis of one kind decides about a requirement: that it is broken, or that it is open. Empty if it
 * decides nothing. Then the requests themselves decide.
 */
function rulingsOn(id: RequirementId, kind: KindRuling, others: readonly KindRuling[]): readonly Ruling[] {
  const only = OF_KIND[id];
  if (only !== undefined && only !== kind.diagnosis.kind) return [];
  switch (kind.outcome) {
    case 'conforms':
      return only === undefined ? [] : lowerLimit(kind);
    case 'deviates':
      return deviating(id, kind, others);
    case 'unexplained':
      return [id === 'LIMIT-HISTORY' && others.some(isNamed) ? lastResort(kind) : unexplained(id, kind, others)];
    case 'open':
      return [openRuling(kind)];
  }
}

/** That no budget was seen whole: it was used before the run, or its limit is lower. */
function lowerLimit(kind: KindRuling): readonly Ruling[] {
  const { conforming, kind: own } = kind.diagnosis;
  if (conforming?.orLimit === undefined) return [];
  const { orLimit, usedBefore } = conforming;
  const summary = `No answer leaves more than ${orLimit - 1} of ${limitOf(own)} ${own}s: ${usedBefore.join(', ')} may have been used before the run, or the limit is ${orLimit}.`;
  const again =
    'Wait two minutes, let nobody else use the keys, and run again. If it says the same, the limit is lower.';
  return [{ ...undecided(partOf(kind), summary), remedy: again }];
}

function witnessesOf({ diagnosis }: KindRuling): number {
  return diagnosis.world.histories.reduce((sum, { events }) => sum + events.length, 0);
}

function deviating(id: RequirementId, kind: KindRuling, others: readonly KindRuling[]): readonly Ruling[] {
  const { minimal, broken, disputed, diagnosis } = kind;
  const [first] = minimal;
  if (!first) return [];
  const part = partOf(kind);
  const own = first.deviations.find((each) => breaks(each).includes(id));
  if (broken.has(id) && own) {
    const deviation = saidOfBoth(own, kind, others);
    const beside = first.deviations.filter((each) => each !== own);
    return [
      {
        verdict: 'fail',
        part,
        summary: sentence(deviation),
        remedy: remedy(deviation),
        witnesses: witnessesOf(kind),
        proofs: [
          deviationProof(
            requirement(id).statement,
            deviation,
            { ...diagnosis, world: unreadHeaders(diagnosis.world, beside) },
            others.map((other) => other.diagnosis),
            first,
          ),
        ],
        followsFrom: [
          ...(countsFromToldLimit(own, diagnosis) ? (['HDR-3'] as const) : []),
          ...firstOf(own, kind).filter((each) => each !== id),
        ],
      },
    ];
  }
  const named = broken.size > 0;
  const found = namedBy(kind);
  const causes = named ? found : (['LIMIT-HISTORY'] as const);
  if (id === 'LIMIT-HISTORY' && !named) return [others.some(isNamed) ? lastResort(kind) : ambiguous(kind)];
  const over = broken.has(id) ? overshot(id, kind) : null;
  if (over) return [over];
  if (disputed.has(id)) return [{ ...undecided(part, alternativesText(kind.diagnosis.kind, minimal)), remedy: MEND }];
  // What hides both kinds is said of both at once.
  const ofAll = named && others.length > 0 && others.every(isNamed) ? others.flatMap(namedBy) : null;
  const why = ofAll ? notBeside([...new Set([...causes, ...ofAll])].sort()) : notBeside(causes, part);
  const hidden: Ruling = { ...undecided(part, why), remedy: MEND };
  if (id === 'LIMIT-HISTORY') return [hidden];
  // What was left when something was refused is known only if Remaining is right.
  const isUnread = id === 'HDR-5' && first.deviations.some(({ operator }) => operator === 'remaining-header');
  if (isUnread || (NEED_A_MODEL.has(id) && first.fit === null)) {
    return [hidden];
  }
  return [];
}

/**
 * A window with more requests than the limit shows that the limit does not hold, too, where a race let them through.
 */
function overshot(id: RequirementId, kind: KindRuling): Ruling | null {
  const { world } = kind.diagnosis;
  const [race] = kind.minimal.flatMap(({ deviations }) =>
    deviations.filter((each) => breaks(each).includes('LIMIT-ATOMIC')),
  );
  const shown = (by: typeof overshoot) => world.histories.flatMap((history) => by(history) ?? []);
  const [found] = [...shown(overshoot), ...shown(soonestOverLimit)];
  if (!found || !race) return null;
  const summary = `More than ${limitOf(kind.diagnosis.kind)} ${partOf(kind)} of a window are let through.`;
  const evidence = found.events.map(({ exchange }) => exchange);
  return {
    verdict: 'fail',
    part: partOf(kind),
    summary,
    remedy: remedy(race),
    witnesses: witnessesOf(kind),
    proofs: [proof(requirement(id).statement, summary, evidence, found.argument)],
    followsFrom: kind.broken.has('LIMIT-ATOMIC') ? ['LIMIT-ATOMIC'] : [],
  };
}

/**
 * Nothing explains the budgets of one kind, but the report names what is wrong with the other kind. So LIMIT-HISTORY,
 * the last resort, need not fail.
 */
function lastResort(kind: KindRuling): Ruling {
  const summary = `No known deployment explains the ${partOf(kind)}, and what fails is about the other kind.`;
  return { ...undecided(partOf(kind), summary), remedy: MEND };
}

/**
 * Several explanations break no requirement in common: the run does not conform, but which of them holds is unknown.
 */
function ambiguous(kind: KindRuling): Ruling {
  const summary = alternativesText(kind.diagnosis.kind, kind.minimal);
  const against = refutation(kind.diagnosis);
  const expected = requirement('LIMIT-HISTORY').statement;
  return {
    verdict: 'fail',
    part: partOf(kind),
    summary,
    remedy: [...new Set(kind.minimal.flatMap(({ deviations }) => deviations.map((each) => remedy(each))))].join(' '),
    witnesses: witnessesOf(kind),
    proofs: [proof(expected, summary, against.evidence, against.argument)],
  };
}

function unexplained(id: RequirementId, kind: KindRuling, others: readonly KindRuling[]): Ruling {
  const part = partOf(kind);
  if (id !== 'LIMIT-HISTORY') {
    // If the other kind's deviation is named, LIMIT-HISTORY does not fail, and so shows nothing.
    const named = others.some(isNamed);
    const summary = `No known deployment explains the ${named ? part : 'run (see LIMIT-HISTORY)'}, so it is open whether it breaks this.`;
    const over = OF_KIND[id] === undefined ? [] : overTheLimit(kind);
    return {
      ...undecided(part, [...over, summary].join(' ')),
      remedy: named ? MEND : 'Correct what LIMIT-HISTORY shows first.',
    };
  }
  const summary = 'No conforming deployment and no known deviation explains the run, so the report names none.';
  const shown = showing(null, kind.diagnosis.world.histories);
  const against = refutation(kind.diagnosis);
  const evidence = evidenceOf([...(shown?.events ?? []).map(({ exchange }) => exchange), ...against.evidence]);
  const argument = [...(shown?.argument ?? []), ...against.argument];
  return {
    verdict: 'fail',
    part,
    summary,
    remedy: UNNAMED,
    witnesses: witnessesOf(kind),
    proofs: [proof(requirement(id).statement, summary, evidence, argument)],
  };
}

/**
 * A sentence about requests over the limit in one window, if there are any: the proof of LIMIT-HISTORY may show the
 * same requests.
 */
function overTheLimit({ diagnosis: { world } }: KindRuling): readonly string[] {
  const over = world.histories.flatMap((history) => {
    const found = findOvershoot(history);
    if (!found) return [];
    const [first, last] = [found.opened.exchange.seq, found.last.exchange.seq];
    return `From #${first} to #${last}, ${found.accepted} ${history.kind}s were accepted with the X-RateLimit-Reset of one window, and the limit is ${history.limit}: the limit or X-RateLimit-Reset is wrong.`;
  });
  return over.slice(0, 1);
}
