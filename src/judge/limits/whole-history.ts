import type { Contradiction } from '../../oracle/check.ts';
import { nameOf as nameOfMechanism } from '../../oracle/mechanism-name.ts';
import { evidenceOf, explainContradiction, proof } from './proofs.ts';
import type { Ruling } from './ruling.ts';
import { disturbed, type Examined, nameOf } from './thresholds.ts';

/** LIMIT-HISTORY: some window mechanism explains the whole history of each budget. */
export function ruleOnHistory(examined: Examined, diagnosis: string | null): Ruling {
  const { findings, reach, cause } = examined;
  const { history } = findings;
  const part = nameOf(examined);
  const witnesses = history.events.length;
  if (examined.disturbed) return disturbed(examined);
  if (reach === 3) {
    const names = [...new Set(findings.whole.map(({ variant }) => nameOfMechanism(variant.mechanism)))];
    return { verdict: 'pass', part, summary: `Explained by: ${names.join('; ')}.`, witnesses };
  }
  if (cause?.reach === 3) {
    const summary = `Explained only if ${cause.supposition} (see ${cause.requirement}).`;
    return { verdict: 'fail', part, summary, witnesses, proofs: [refutations(examined, summary, diagnosis)] };
  }
  const carrier =
    reach === 2
      ? 'the decisions and Remaining are explained, the markers are not (see HDR-7, HDR-8)'
      : reach === 1
        ? 'the decisions are explained, the headers are not (see HDR-4, HDR-5)'
        : 'not even the decisions are explained';
  const summary = `No window mechanism explains the whole history: ${carrier}.`;
  return { verdict: 'fail', part, summary, witnesses, proofs: [refutations(examined, summary, diagnosis)] };
}

/** One contradiction for each mechanism, the requests that they share first. */
function refutations(examined: Examined, received: string, diagnosis: string | null) {
  const { findings } = examined;
  const expected = 'Some window mechanism explains the whole recorded history of the budget.';
  const shown = findings.refuted
    .filter(({ variant }) => variant.lag === 0 || findings.refuted.length < 4)
    .flatMap(({ variant, contradictions }) => {
      const last = contradictions.reduce<Contradiction | null>(
        (one, other) => ((other.event?.from ?? 0) > (one?.event?.from ?? -1) ? other : one),
        null,
      );
      if (!last) return [];
      const { evidence, argument } = explainContradiction(last, findings.history, variant.counting);
      return [{ mechanism: variant.mechanism, evidence, sentence: argument[argument.length - 1] ?? '' }];
    });
  const seen = new Set<string>();
  const one = shown.filter(({ mechanism }) => !seen.has(mechanism) && seen.add(mechanism));
  return proof(
    expected,
    received,
    evidenceOf(one.flatMap(({ evidence }) => evidence)),
    one.map(({ mechanism, sentence }) => `Not ${nameOfMechanism(mechanism)}: ${sentence}`),
    diagnosis,
  );
}
