import type { Random } from '../../random/random.ts';
import type { Kind } from '../../trace/exchange.ts';
import { classesText, isPlural, likeOperation, type OperationFacts, type RequestClass } from '../attribute.ts';
import { SECOND, WINDOW } from '../deployment.ts';
import { BOTH, drawKinds, lengthText, type Operator, onlyFor, pick, plural, singular } from '../operator.ts';

/** Something that moves the end of a window that is under way. */
export interface MovedEnd {
  readonly kinds: readonly Kind[];
  /**
   * What moves it: each request, each refusal, the first refusal of a window, each bad request, each successful request
   * of the same key and the other kind, the window of either kind that began first, or a budget that was not used for a
   * while; unknown: nothing that a run tells.
   */
  readonly trigger:
    | 'request'
    | 'refusal'
    | 'first refusal'
    | 'bad request'
    | 'other kind'
    | 'one expiry'
    | 'idle'
    | 'unknown';
  /**
   * Where to: to so much after the trigger, or so much later (earlier, where negative) than it was, at most so much in
   * all; left out: without a bound. In µs.
   */
  readonly to: { readonly after: number } | { readonly later: number; readonly most?: number };
  /** How long a budget has to be idle, in µs; 0 for the other triggers. */
  readonly idle: number;
  /** By which answers a bad request is known; left out for the other triggers. */
  readonly statuses?: readonly number[];
  /**
   * Which refusal of a window it is at the least, as a burst does not show their order; left out: the first, or another
   * trigger.
   */
  readonly nth?: number;
  /** Which operations of the other kind move it; left out: all, or another trigger. */
  readonly operations?: readonly string[];
  /** Which requests move it, if they are successful; left out: all, or another trigger. */
  readonly only?: RequestClass;
  /** Whether the marker tells the new end. */
  readonly told: boolean;
}

/** A window that is extended, started anew or cut short. */
export const movedEnd: Operator<'moved-end', MovedEnd> = {
  id: 'moved-end',
  component: 'window',
  // What the other kind moves is not counted apart from it, and does not last a minute.
  breaks: ({ trigger }) => (trigger === 'other kind' ? ['LIMIT-RW', 'LIMIT-WINDOW'] : ['LIMIT-WINDOW']),
  mayShow: ({ trigger, told }) => [
    ...(told ? (['HDR-8', 'HDR-7'] as const) : (['HDR-7', 'HDR-5'] as const)),
    ...(trigger === 'other kind' ? (['HDR-4'] as const) : []),
    ...(trigger === 'one expiry' ? (['LIMIT-RW', 'HDR-4'] as const) : []),
  ],
  sentence({ kinds, trigger, to, idle, statuses, nth, operations, only, told }) {
    if (trigger === 'unknown') return `Windows end at other times than a minute after they began${onlyFor(kinds)}.`;
    if (trigger === 'one expiry')
      return 'The counts of the reads and the writes of a key expire together, a minute after the first request of either kind.';
    if (only) return endedBy(only);
    const who =
      trigger === 'idle'
        ? `A pause of ${lengthText(idle)}`
        : trigger === 'bad request'
          ? `Each request that is answered ${(statuses ?? []).join(' or ')}`
          : trigger === 'other kind'
            ? `Each successful ${kinds.length === 1 ? singular(otherThan(kinds)) : 'request'}${by(operations)}`
            : trigger === 'first refusal'
              ? `The ${nth === undefined ? 'first refusal in a window' : `${ordinal(nth)} refusal in a window, or a later one,`}`
              : WHO[trigger];
    const isOther = trigger === 'other kind';
    const window = isOther ? `window of ${kinds.length === 1 ? plural(kinds) : 'the other kind'}` : 'window';
    const where =
      'after' in to && to.after === 0
        ? `ends the ${window}`
        : 'after' in to
          ? `moves the end of the ${window} to ${lengthText(to.after)} from then`
          : `${to.later < 0 ? 'brings' : 'puts off'} the end of the ${window} ${to.later < 0 ? 'forward ' : ''}by ${lengthText(Math.abs(to.later))}${boundText(to)}`;
    return `${who} ${where}${told ? '' : ', and X-RateLimit-Reset does not tell'}${isOther ? '' : onlyFor(kinds)}.`;
  },
  // A penalty has a length of its own; what lasts a window again is the window, begun anew.
  remedy({ trigger, to, told, only }) {
    if (only) return EMPTIED;
    if (trigger === 'first refusal' && !told) return REPEATED;
    return trigger === 'refusal' && 'after' in to && to.after === WINDOW ? RENEWED : REMEDIES[trigger];
  },
  draw(random, { operations }) {
    const trigger = pick(random, TRIGGERS);
    const kinds = drawKinds(random);
    const told = random() < 0.6;
    if (trigger === 'one expiry') return { kinds: BOTH, trigger, to: { after: 0 }, idle: 0, told: false };
    if (trigger === 'idle') return { kinds, trigger, to: { after: 0 }, idle: pick(random, [5, 10, 20]) * SECOND, told };
    if (trigger === 'bad request') {
      const statuses = pick(random, [[400, 404], [400], [404]]);
      return { kinds, trigger, statuses, to: { after: WINDOW }, idle: 0, told };
    }
    const clearing = trigger === 'request' && random() < 0.5 ? drawClearing(random, operations) : null;
    if (clearing) return clearing;
    if (trigger === 'other kind') {
      // What ends a window leaves no marker to tell it.
      const after = pick(random, [0, WINDOW]);
      return { kinds, trigger, to: { after }, idle: 0, told: told || after === 0 };
    }
    const to =
      random() < 0.7
        ? { after: pick(random, [WINDOW, WINDOW, 30 * SECOND]) }
        : pick(random, [{ later: SECOND }, { later: 2 * SECOND, most: 10 * SECOND }, { later: 5 * SECOND }]);
    return { kinds, trigger, to: trigger === 'request' ? { after: WINDOW } : to, idle: 0, told };
  },
};

function boundText({ most }: { readonly most?: number }): string {
  return most === undefined ? '' : `, by at most ${lengthText(most)} in all`;
}

/** Requests that end the window of their kind, and are not all of it; null if these are. */
function drawClearing(random: Random, operations: readonly OperationFacts[]): MovedEnd | null {
  const operation = pick(random, operations);
  const ofItsKind = operations.filter(({ kind }) => kind === operation.kind);
  const like = likeOperation(pick(random, ['operation', 'method'] as const), operation, ofItsKind);
  if (like === null) return null;
  const { kinds, ...only } = like;
  return { kinds, trigger: 'request', only, to: { after: 0 }, idle: 0, told: false };
}

const TRIGGERS = ['request', 'refusal', 'first refusal', 'bad request', 'other kind', 'one expiry', 'idle'] as const;

/** Requests after which nothing is counted any more. */
function endedBy({ attribute, classes }: RequestClass): string {
  const clear = isPlural(attribute, classes) ? 'clear' : 'clears';
  return `${classesText(attribute, classes)} ${clear} the count of the window.`;
}

function otherThan(kinds: readonly Kind[]): readonly Kind[] {
  return BOTH.filter((kind) => !kinds.includes(kind));
}

function ordinal(nth: number): string {
  const isTeen = nth % 100 > 10 && nth % 100 < 20;
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][nth % 10] ?? 'th');
  return ['first', 'second', 'third'][nth - 1] ?? `${nth}${ending}`;
}

function by(operations: readonly string[] | undefined): string {
  return operations ? ` by ${operations.join(' or ')}` : '';
}

const WHO = {
  request: 'Each request',
  refusal: 'Each refusal',
} as const;

const PENALTY =
  'Usually a block or penalty is configured for keys that exceed the limit. The budget has to be back when the window ends: remove the penalty.';
const RENEWED =
  'Usually the expiry of the counter is set again with each request, refused ones included, as by EXPIRE after every INCR. Set it once, when the window begins.';
const EMPTIED =
  'Usually these requests empty a cache, and the counters are in it. Keep the counters where nothing else is removed.';
const SET_AGAIN =
  'Usually the expiry of the counter is set again with each request. Set it once, when the window begins.';

/** A block that no marker tells may be a refusal that is repeated. */
const REPEATED = `${PENALTY} If a cache or a gateway repeats the refusal until then, do not keep answers of 429 there.`;

const REMEDIES: Readonly<Record<MovedEnd['trigger'], string>> = {
  request: SET_AGAIN,
  refusal: PENALTY,
  'first refusal': PENALTY,
  'bad request': SET_AGAIN,
  'one expiry':
    'Usually both counts of a key are fields of one record, and the record has one expiry. Give each kind a window of its own.',
  'other kind':
    'Usually both counters of a key have one name or one expiry, such as a cache that is emptied after each change. Keep them apart.',
  idle: 'Usually a cache drops counters that are not used for some time, or their expiry is shorter than the window. Keep each until its window ends.',
  unknown:
    'Usually a job that runs now and then removes the windows that have ended, or their expiry is set again or drawn at random. Compare the end of each window with the time of each request.',
};
