import { type Event, WINDOW } from './history.ts';
import { together } from './together.ts';

/** A request at a turn of its budget; it is sure unless others were under way at once, or the one before is unclear. */
interface AtTurn {
  readonly event: Event;
  readonly isSure: boolean;
}

/**
 * The requests of a budget (in order of `from`) whose marker is that of another window than those before. One that
 * fails may have been counted first, whatever its marker, so that the next that is accepted opens none.
 */
export function opening(events: readonly Event[]): readonly AtTurn[] {
  let latest = Number.NEGATIVE_INFINITY;
  let mayBeOpen = false;
  return together(events).flatMap((group) => {
    const opens = group.filter(
      ({ outcome, reset }) =>
        (outcome === 'accepted' || outcome === 'failed') && (reset ?? latest) > latest + WINDOW / 2,
    );
    const accepted = opens.filter(({ outcome }) => outcome === 'accepted');
    const isSure = group.length === 1 && accepted.length === 1 && !mayBeOpen;
    mayBeOpen = accepted.length === 0 && (mayBeOpen || group.some(({ outcome }) => outcome !== 'refused'));
    latest = accepted.reduce((most, { reset }) => Math.max(most, reset ?? most), latest);
    return opens.map((event) => ({ event, isSure }));
  });
}

/** The accepted requests of a budget (in order of `from`) before which the last decision was a refusal. */
export function afterRefusals(events: readonly Event[]): readonly AtTurn[] {
  let before: Event['outcome'] | null = null;
  return together(events).flatMap((group) => {
    const [first] = group;
    const isSure = before === 'refused' && group.length === 1;
    const mayBe = before === 'refused' || before === null || group.some(({ outcome }) => outcome === 'refused');
    const after = mayBe ? group.filter(({ outcome }) => outcome === 'accepted') : [];
    const isClear = first && group.every(({ outcome }) => outcome === first.outcome) && first.outcome !== 'unclear';
    before = isClear ? first.outcome : null;
    return after.map((event) => ({ event, isSure }));
  });
}
