import { type Event, WINDOW } from '../../oracle/history.ts';
import type { Evidence } from './budgets.ts';
import type { RunFacts } from './next-run.ts';
import type { Ruling } from './ruling.ts';
import { nameOf, type Subject } from './subject.ts';
import { isUnstatedEvasion, sentWhileSpent } from './unstated-evasion.ts';
import { anonymousAmong, notShown, pass, telling, untested } from './witnesses.ts';

/** Requirements about which requests use one budget. */
export type SharingId = 'LIMIT-KEY' | 'LIMIT-SCOPE' | 'LIMIT-RW' | 'LIMIT-HEADER' | 'LIMIT-EVADE' | 'LIMIT-ANON';

/** How a budget was used by requests that would have shown it if they had a budget of their own. */
export interface Use {
  readonly subject: Subject;
  readonly events: readonly Event[];
  /** When the first of them were sent, in µs of the run's clock. */
  readonly times: readonly number[];
  /** Requests without a valid key that were sent between its own. */
  readonly anonymous: number;
}

/** The most requests of a budget from which the suite determines when it was in use. */
const MOST_COMPARED = 1_000;

/** The use of each explained budget. */
export function useOf(subject: Subject, evidence: Evidence): Use {
  const events = subject.explained.flatMap(telling);
  return {
    subject,
    events,
    times: events.slice(0, MOST_COMPARED).map(({ from }) => from),
    anonymous: subject.explained.length === 0 ? 0 : anonymousAmong(subject.budget.history, events, evidence),
  };
}

/**
 * What the uses of a run's budgets show about one requirement: a ruling for each budget, or the reason why there is
 * none.
 */
export function sharingWitnesses(id: SharingId, uses: readonly Use[], facts: RunFacts): readonly Ruling[] {
  // If only a deviation that breaks the requirement explains a budget, its use is no evidence for the requirement.
  const sound = uses.filter(({ subject }) => !subject.ruling?.broken.has(id));
  const found = SHOWN[id](
    sound.filter(({ events }) => events.length > 0),
    facts,
  );
  if (found.length > 0 || sound.length < uses.length) return found;
  const left = uses.some(({ subject, events }) => events.length === 0 && subject.budget.exchanges.length > 0);
  const why = `${left ? 'Among the budgets that the run explains, no' : 'No'} ${NOT_SHOWN[id]}`;
  if (id === 'LIMIT-SCOPE' && facts.certified && uses.every(hasOneOperation)) return [untested('all', why, SECOND)];
  return [notShown('all', why, facts, 'which tries this', id === 'LIMIT-KEY' ? 2 : 1)];
}

/** Whether the profile has no second operation that would use the budget. */
function hasOneOperation({ subject }: Use): boolean {
  return new Set(subject.budget.exchanges.flatMap(({ operation }) => operation ?? [])).size < 2;
}

const SECOND = 'Add a second read or write operation to the profile.';

/** What was not there to show it, after `No`. */
const NOT_SHOWN: Readonly<Record<SharingId, string>> = {
  'LIMIT-KEY': 'two keys were used in one minute in a way that would show a budget that they share.',
  'LIMIT-SCOPE': 'budget was used by more than one operation.',
  'LIMIT-RW': 'key was used for reads and writes in one minute.',
  'LIMIT-HEADER': 'budget was used by more than one way of sending the key.',
  'LIMIT-EVADE': 'variation was sent on a budget that was in use.',
  'LIMIT-ANON': 'request without a valid key was sent while a budget was in use.',
};

const SHOWN: Readonly<Record<SharingId, (uses: readonly Use[], facts: RunFacts) => readonly Ruling[]>> = {
  'LIMIT-KEY': (uses) =>
    besides(
      uses,
      (one, other) => one.budget.kind === other.budget.kind && one.budget.key !== other.budget.key,
      (one, other) => `${one} and ${other} were used in one minute, and each is explained by its own requests alone.`,
    ),
  'LIMIT-RW': (uses) =>
    besides(
      uses,
      (one, other) => one.budget.key === other.budget.key && one.budget.kind !== other.budget.kind,
      (one, other) => `${one} and ${other} were used in one minute, and each is explained by its own requests alone.`,
    ),
  'LIMIT-SCOPE': (uses) => byClass(uses, ({ exchange }) => exchange.operation ?? ''),
  'LIMIT-HEADER': (uses) => byClass(uses, ({ exchange }) => exchange.credential),
  'LIMIT-EVADE': evasions,
  'LIMIT-ANON': (uses) =>
    uses.flatMap(({ subject, anonymous }) =>
      anonymous === 0
        ? []
        : [
            pass(
              nameOf(subject),
              `${anonymous} requests without a valid key came between, and none was counted.`,
              anonymous,
            ),
          ],
    ),
};

/** Pairs of budgets that were in use during the same minute. */
function besides(
  uses: readonly Use[],
  fits: (one: Subject, other: Subject) => boolean,
  say: (one: string, other: string) => string,
): readonly Ruling[] {
  return uses.flatMap((one, index) => {
    const other = uses.slice(index + 1).find((each) => fits(one.subject, each.subject) && together(one, each));
    if (!other) return [];
    const part = nameOf(one.subject);
    return [pass(part, say(part, nameOf(other.subject)), one.events.length + other.events.length)];
  });
}

/** Whether both were in use within half a window, so that a shared budget would have shown. */
function together(one: Use, other: Use): boolean {
  return other.times.some((time) => one.times.some((from) => Math.abs(from - time) < WINDOW / 2));
}

function byClass(uses: readonly Use[], classOf: (event: Event) => string): readonly Ruling[] {
  return uses.flatMap(({ subject, events }) => {
    const plain = events.filter(({ exchange }) => exchange.variation === null);
    const names = [...new Set(plain.map(classOf))].sort();
    return names.length < 2 ? [] : [pass(nameOf(subject), `${names.join(', ')} share one budget.`, plain.length)];
  });
}

function evasions(uses: readonly Use[], facts: RunFacts): readonly Ruling[] {
  const counts = new Map<string, number>();
  const add = (name: string, more: number) => counts.set(name, (counts.get(name) ?? 0) + more);
  for (const { events, subject } of uses) {
    const connections = new Set(events.map(({ exchange }) => exchange.connection));
    if (connections.size > 1) add('new-connection', connections.size);
    for (const { exchange } of events) if (exchange.variation !== null) add(exchange.variation, 1);
    const { exchanges } = subject.budget;
    for (const each of exchanges) {
      if (each.variation === null || !isUnstatedEvasion(each)) continue;
      add(each.variation, each.status === 429 && sentWhileSpent(each, exchanges) ? 1 : 0);
    }
  }
  return [...counts]
    .sort()
    .map(([part, witnesses]) =>
      witnesses > 0
        ? pass(part, `Requests with ${part} draw on the budget of the key.`, witnesses)
        : notShown(
            part,
            `No request with ${part} was let through or refused by its budget, which the specification leaves open.`,
            facts,
            'which tries this',
          ),
    );
}
