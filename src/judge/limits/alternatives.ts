import { sentence } from '../../deployment/operators.ts';
import type { Explained } from '../../diagnosis/explained.ts';
import type { Kind } from '../../trace/exchange.ts';

type Described = Pick<Explained, 'deviations'>;

/** What an explanation says of the deployment: a sentence for each deviation. */
export function explanationText(explained: Described): string {
  return sentencesOf(explained).join(' ');
}

/**
 * What several explanations of a kind say: what all of them say first, and then what each says besides. At most `MOST_TOLD` of
 * these are told.
 */
export function alternativesText(kind: Kind, explanations: readonly Described[]): string {
  const all = explanations.map(sentencesOf);
  const common = (all[0] ?? []).filter((text) => all.every((each) => each.includes(text)));
  const besides = [...new Set(all.map((each) => each.filter((text) => !common.includes(text)).join(' ')))];
  const told = besides.filter((text) => text !== '').slice(0, MOST_TOLD);
  if (told.length === 0) return common.join(' ');
  const choice = told.join(' Or: ');
  if (common.length === 0) return `For ${kind}s, either: ${choice}`;
  return `${common.join(' ')} ${besides.includes('') ? 'Perhaps besides' : 'Besides, either'}: ${choice}`;
}

/** More alternatives than this are a list that nobody reads. */
const MOST_TOLD = 3;

function sentencesOf({ deviations }: Described): readonly string[] {
  return [...new Set(deviations.map((each) => sentence(each)))];
}
