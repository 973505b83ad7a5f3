import { type Operator, pick } from '../operator.ts';

/** Requests without an accepted key, or refused ones of another key, that are nevertheless charged to a key. */
export interface AnonymousCharged {
  /**
   * Those without a key, these and those whose key is not in X-API-Key or after Bearer, those with one that is not
   * accepted, or all of these; or those of another key that are refused, or lack permission.
   */
  readonly which: 'no key' | 'no key or another scheme' | 'bad key' | 'both' | 'refused' | 'forbidden';
  /** Alias of the key that is charged, or how it is chosen. */
  readonly to: string | { readonly chosen: 'last used' | 'same connection' | 'resembling' };
}

/** A budget that other requests than the key's spend. */
export const anonymousCharged: Operator<'anonymous-charged', AnonymousCharged> = {
  id: 'anonymous-charged',
  component: 'scope',
  breaks: ({ which }) => [isOfAnotherKey(which) ? 'LIMIT-KEY' : 'LIMIT-ANON'],
  mayShow: () => [],
  sentence: ({ which, to }) => `${WHICH[which]} charged to ${typeof to === 'string' ? to : CHOSEN[to.chosen]}.`,
  remedy: ({ which, to }) => {
    if (isOfAnotherKey(which))
      return 'Usually the key of a request is kept in a variable that requests share, or is read again after another request has set it. Keep it with the request.';
    return typeof to === 'object' && to.chosen === 'same connection'
      ? 'Usually who sent a valid key is kept with the connection. Read the key of each request, and forget it afterwards.'
      : 'Usually the limiter counts requests before the key is checked, under a default name or one that other keys match. Check the key first.';
  },
  draw(random, { keys }) {
    const which = pick(random, ['no key', 'no key or another scheme', 'bad key', 'both'] as const);
    const chance = random();
    if (chance < 0.5) return { which, to: pick(random, keys) };
    return chance < 0.75 || which !== 'bad key'
      ? { which, to: { chosen: 'last used' } }
      : { which, to: { chosen: 'resembling' } };
  },
};

/** Whether these requests have a key that is accepted, and are charged to another one. */
export function isOfAnotherKey(which: AnonymousCharged['which']): boolean {
  return which === 'refused' || which === 'forbidden';
}

const WHICH = {
  'no key': 'Requests without a key are',
  'no key or another scheme': 'Requests without a key, or with one under another scheme than Bearer, are',
  'bad key': 'Requests with a key that is not accepted are',
  both: 'Requests without an accepted key are',
  refused: 'Requests of other keys that are refused are',
  forbidden: 'Requests for which another key lacks permission are',
} as const;

const CHOSEN = {
  'last used': 'the key that was used last',
  'same connection': 'the key that was used last on their connection',
  resembling: 'the key that theirs resembles',
} as const;
