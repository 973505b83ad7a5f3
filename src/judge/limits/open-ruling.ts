import type { KindRuling } from '../../diagnosis/kind-ruling.ts';
import type { ClockStep } from '../../oracle/clock-step.ts';
import { explanationText } from './alternatives.ts';
import { coincidenceText } from './coincidence-text.ts';
import { ALONE, NOBODYS } from './next-run.ts';
import type { Ruling } from './ruling.ts';

/** Use by others or a coincidence may explain the run, or the judge reached its bound of work. */
export function openRuling(kind: KindRuling): Ruling {
  const { background, cut, others, unexplained } = kind.diagnosis;
  const part = partOf(kind);
  if (kind.clockStep) return { ...undecided(part, clockStepText(kind.clockStep)), remedy: STEADY };
  const byChance = coincidenceText(kind.diagnosis);
  if (byChance && kind.likelier) {
    const summary = `${byChance} This is likelier: ${explanationText(kind.likelier)}`;
    return { ...undecided(part, summary), remedy: 'Run certify, which spends each budget several times.' };
  }
  const next = kind.likelier
    ? `${ALONE} If nobody else used these keys, this is the cause: ${explanationText(kind.likelier)}`
    : `${ALONE} ${NOBODYS}`;
  if (background?.complete) {
    const { requests, episodes } = background;
    const keys = [...new Set(episodes.map(({ key }) => key))].join(', ');
    const [first] = episodes;
    const few = requests === 1 ? 'at least one request' : `at least ${requests} requests`;
    const when = `${requests === 1 ? '' : 'the first '}before #${first?.event.exchange.seq}`;
    const summary = `Others seem to have used the ${part} of ${keys} during the run: ${few} of theirs, ${when}.`;
    return { ...undecided(part, summary), remedy: next, byOthers: true };
  }
  const undone = cut && others === 'may explain it';
  const [whose, keys] =
    unexplained.length === 0
      ? [`budgets of ${part}`, 'the keys']
      : [`${part} of ${unexplained.join(', ')}`, unexplained.length === 1 ? 'this key' : 'these keys'];
  const summary = `The ${whose} have less left than the requests of the run explain: others may have used ${keys} during the run${undone ? ', or the judge gave up its search for another cause' : ''}.`;
  return { ...undecided(part, summary), remedy: next, byOthers: true };
}

/** That the clock was set in mid-run. Only whole seconds of the `Date` are known, so the length is about right. */
function clockStepText({ by, last }: ClockStep): string {
  const seconds = Math.round((by.low + by.high) / 2e6);
  const way = `set ${seconds > 0 ? 'forward' : 'back'} by about ${Math.abs(seconds)} s`;
  return `The clock of the deployment was ${way} soon after the answer to #${last.seq}, as \`Date\` tells. What its windows did then shows nothing.`;
}

const STEADY =
  'Let the clock of the deployment run steadily, as time services do that correct it in small steps. Wait two minutes, and run again.';

/** The part of a requirement that is about the budgets of one kind. */
export function partOf({ diagnosis }: KindRuling): string {
  return `${diagnosis.kind}s`;
}

export function undecided(part: string, summary: string): Ruling {
  return { verdict: 'inconclusive', part, summary, witnesses: 0 };
}
