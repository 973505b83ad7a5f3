import { requirement } from '../../catalogue/catalogue.ts';
import type { RequirementId } from '../../catalogue/requirement.ts';
import { breaks, remedy, sentence } from '../../deployment/operators.ts';
import type { KindRuling } from '../../diagnosis/run.ts';
import type { Explained } from '../../diagnosis/search.ts';
import type { Kind } from '../../trace/exchange.ts';
import { deviationProof, showing } from './deviation-proof.ts';
import { evidenceOf, proof } from './proofs.ts';
import { refutation } from './refutation.ts';
import type { Ruling } from './ruling.ts';

/** Requirements that are about one kind alone. */
const OF_KIND: Readonly<Partial<Record<RequirementId, Kind>>> = { 'LIMIT-R': 'read', 'LIMIT-W': 'write' };

/** Requirements that cannot be told where what explains the run has no window, or was not held against its headers. */
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

/**
 * What the diagnosis of one kind says of a requirement by itself: that it is broken, or that it is open. Empty where it says neither, so that
 * what the requests show decides.
 */
export function rulingsOn(id: RequirementId, kind: KindRuling): readonly Ruling[] {
  const only = OF_KIND[id];
  if (only !== undefined && only !== kind.diagnosis.kind) return [];
  switch (kind.outcome) {
    case 'conforms':
      return [];
    case 'deviates':
      return deviating(id, kind);
    case 'unexplained':
      return [unexplained(id, kind)];
    case 'open':
      return [open(kind)];
  }
}

function partOf({ diagnosis }: KindRuling): string {
  return `${diagnosis.kind}s`;
}

function witnessesOf({ diagnosis }: KindRuling): number {
  return diagnosis.world.histories.reduce((sum, { events }) => sum + events.length, 0);
}

function deviating(id: RequirementId, kind: KindRuling): readonly Ruling[] {
  const { minimal, broken, disputed, diagnosis } = kind;
  const [first] = minimal;
  if (!first) return [];
  const part = partOf(kind);
  const deviation = first.deviations.find((each) => breaks(each).includes(id));
  if (broken.has(id) && deviation) {
    return [
      {
        verdict: 'fail',
        part,
        summary: sentence(deviation),
        remedy: remedy(deviation),
        witnesses: witnessesOf(kind),
        proofs: [deviationProof(requirement(id).statement, deviation, diagnosis)],
      },
    ];
  }
  const named = broken.size > 0;
  if (id === 'LIMIT-HISTORY' && !named) return [ambiguous(kind)];
  if (disputed.has(id))
    return [{ ...undecided(part, either(minimal)), remedy: 'Mend what fails first, and run again.' }];
  if (id === 'LIMIT-HISTORY') {
    return [undecided(part, `The run is explained by a deployment that deviates: ${textOf(first)}`)];
  }
  if (NEED_A_MODEL.has(id) && first.fit === null) {
    return [undecided(part, `This cannot be told of a deployment of which this is true: ${textOf(first)}`)];
  }
  return [];
}

/** Several explanations that have no requirement in common: the run does not conform, and which it is nobody can tell. */
function ambiguous(kind: KindRuling): Ruling {
  const summary = `No conforming deployment explains the run. ${either(kind.minimal)}`;
  const against = refutation(kind.diagnosis);
  const expected = requirement('LIMIT-HISTORY').statement;
  return {
    verdict: 'fail',
    part: partOf(kind),
    summary,
    witnesses: witnessesOf(kind),
    proofs: [proof(expected, summary, against.evidence, against.argument)],
  };
}

function unexplained(id: RequirementId, kind: KindRuling): Ruling {
  const part = partOf(kind);
  if (id !== 'LIMIT-HISTORY') {
    const summary = 'No deployment within reach explains the run (see LIMIT-HISTORY), so that this cannot be told.';
    return { ...undecided(part, summary), remedy: 'Correct what LIMIT-HISTORY shows first.' };
  }
  const summary = 'No conforming deployment explains the run, and no deviation that is known does: nothing is named.';
  const shown = showing(null, kind.diagnosis.world.histories);
  const against = refutation(kind.diagnosis);
  const evidence = evidenceOf([...(shown?.events ?? []).map(({ exchange }) => exchange), ...against.evidence]);
  const argument = [...(shown?.argument ?? []), ...against.argument];
  return {
    verdict: 'fail',
    part,
    summary,
    witnesses: witnessesOf(kind),
    proofs: [proof(requirement(id).statement, summary, evidence, argument)],
  };
}

/** What use by others may explain, or what the work allowed did not decide. */
function open(kind: KindRuling): Ruling {
  const { background, cut, others } = kind.diagnosis;
  const part = partOf(kind);
  if (background?.complete) {
    const { requests, episodes } = background;
    const keys = [...new Set(episodes.map(({ key }) => key))].join(', ');
    const [first] = episodes;
    const summary = `The ${part} of ${keys} seem to have been used by others during the run: ${requests} ${requests === 1 ? 'request is' : 'requests are'} missing, the first before #${first?.event.exchange.seq}.`;
    return { ...undecided(part, summary), remedy: ALONE };
  }
  const undone = cut && others === 'may explain it';
  const summary = `Something takes from the budgets of ${part} what no rule explains: others may have used the keys during the run${undone ? ', or the work allowed for judging was too little' : ''}.`;
  return { ...undecided(part, summary), remedy: ALONE };
}

const ALONE = 'Use keys that nobody else uses, wait two minutes, and run again.';

function undecided(part: string, summary: string): Ruling {
  return { verdict: 'inconclusive', part, summary, witnesses: 0 };
}

function textOf({ deviations }: Explained): string {
  return deviations.map((each) => sentence(each)).join(' ');
}

function either(minimal: readonly Explained[]): string {
  const texts = [...new Set(minimal.map(textOf))].slice(0, 3);
  return texts.length === 1 ? (texts[0] ?? '') : `Either: ${texts.join(' Or: ')}`;
}
