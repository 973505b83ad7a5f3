import type { Kind } from '../../trace/exchange.ts';
import { SECOND } from '../deployment.ts';
import { drawKinds, lengthText, type Operator, pick, plural, type Surface } from '../operator.ts';

/** Requests that are refused while another budget is spent. */
export interface RefusedBeside {
  /** Of which kinds. */
  readonly kinds: readonly Kind[];
  /** Whose budget it is: the same key's of the other kind, another key's of the same kind, or the requests' own. */
  readonly of: 'the other kind' | 'another key' | 'the same budget';
  /** How long after a refusal of that budget, in µs; absent, for another budget only: while it is spent. */
  readonly memory?: number;
  /** How many refusals begin this, in a window of the other kind or since the budget's own last time; absent: one. */
  readonly nth?: number;
}

/** Whose budget it is, by key and kind. */
interface Budget {
  readonly key: string;
  readonly kind: Kind;
}

/** Whether one budget, if it is spent, refuses the requests of the other one. */
export function isBeside(of: RefusedBeside['of'], one: Budget, other: Budget): boolean {
  const [isOfKey, isOfKind] = [one.key === other.key, one.kind === other.kind];
  return isOfKey === (of !== 'another key') && isOfKind === (of !== 'the other kind');
}

/** A refusal that is remembered for too many requests, or limiters that are all asked for every request. */
export const refusedBeside: Operator<'refused-beside', RefusedBeside> = {
  id: 'refused-beside',
  component: 'scope',
  breaks: ({ of }) => [BROKEN[of]],
  // Such a refusal may carry the headers of the other budget.
  mayShow: () => ['HDR-3', 'HDR-4', 'HDR-5', 'HDR-7', 'HDR-8'],
  sentence({ kinds, of, memory, nth }) {
    const who = plural(kinds);
    const subject = who.charAt(0).toUpperCase() + who.slice(1);
    const other = kinds.length > 1 ? 'other' : kinds.includes('read') ? 'write' : 'read';
    if (nth !== undefined && memory !== undefined) {
      const also = kinds.length > 1 ? 'the same kind and key' : 'their key';
      return `${subject} are refused for about ${lengthText(memory)} after ${nth} requests of ${also} were refused, even if their window has ended.`;
    }
    if (nth !== undefined) {
      const which = kinds.length > 1 ? 'requests of the other kind' : `${other}s`;
      return `${subject} are refused after ${nth} ${which} of their key were refused in a window, until it ends.`;
    }
    if (memory === undefined) {
      const budget = of === 'another key' ? 'the budget of another key' : `the ${other} budget of their key`;
      return `${subject} are refused while ${budget} is spent.`;
    }
    return `${subject} are refused for about ${lengthText(memory)} after ${REFUSED[of]}.`;
  },
  remedy: ({ of }) => REMEDIES[of],
  draw(random, { keys }: Surface) {
    if (random() < 0.2) {
      const penalty = { kinds: drawKinds(random), of: 'the same budget', memory: pick(random, PENALTIES) } as const;
      return random() < 0.3 ? { ...penalty, nth: pick(random, [3, 5, 10]) } : penalty;
    }
    const of = keys.length > 1 && random() < 0.4 ? 'another key' : 'the other kind';
    const memory = random() < 0.4 ? { memory: pick(random, [5, 10, 15, 30]) * SECOND } : {};
    const kinds = drawKinds(random);
    const isBan = of === 'the other kind' && !('memory' in memory) && random() < 0.3;
    const nth = isBan ? { nth: pick(random, [3, 5, 10]) } : {};
    return { kinds, of, ...memory, ...nth };
  },
};

/** In µs. Shorter ones end before their window does, and do nothing. */
const PENALTIES = [20, 30, 45, 60].map((seconds) => seconds * SECOND);

const BROKEN = {
  'the other kind': 'LIMIT-RW',
  'another key': 'LIMIT-KEY',
  'the same budget': 'LIMIT-WINDOW',
} as const;

const REFUSED = {
  'the other kind': 'a request of the other kind of their key was refused',
  'another key': 'another key was refused',
  'the same budget': 'one of the same kind and key was, even if their window has ended',
} as const;

const REMEDIES = {
  'the other kind':
    'Usually every request is asked of both limiters, or refusals are remembered by key alone. Ask the limiter of the request’s own kind, and remember a refusal with its kind.',
  'another key': 'Usually a refusal is remembered by the address of the client. Remember it with its key.',
  'the same budget':
    'Usually keys that exceed the limit are blocked for a time of its own, or a gateway repeats the refusal. The budget has to be back when the window ends: remove the block.',
} as const;
