import type { RequirementId } from '../../catalogue/requirement.ts';
import type { Arrival, Likeness, Presentation } from '../arrival.ts';
import { type Defect, handMade, status } from './defect.ts';

/**
 * What may fail as well if a request without an accepted key is let in: it is counted somewhere, and there is no 401.
 */
const OPEN: readonly RequirementId[] = ['STATUS-401', 'LIMIT-ANON'];

/** What may fail as well if good keys are rejected. */
const LOCKED: readonly RequirementId[] = ['AUTH-2', 'AUTH-3', 'AUTH-7', 'STATUS-200', 'LIMIT-HEADER', 'VERSION-1'];

function lets(
  name: string,
  description: string,
  must: readonly RequirementId[],
  who: (arrival: Arrival) => boolean,
  may: readonly RequirementId[] = OPEN,
): Defect {
  return handMade(name, null, description, must, may, ({ accepts }) => ({
    accepts: (arrival) => accepts(arrival) || who(arrival),
  }));
}

function locks(name: string, description: string, must: RequirementId, who: (arrival: Arrival) => boolean): Defect {
  const may = LOCKED.filter((id) => id !== must);
  return handMade(name, null, description, [must], may, ({ accepts }) => ({
    accepts: (arrival) => accepts(arrival) && !who(arrival),
  }));
}

function instead(
  name: string,
  description: string,
  must: RequirementId,
  to: number,
  where: (due: number, arrival: Arrival) => boolean,
  may: readonly RequirementId[] = OPEN,
): Defect {
  const change = status((context) => (where(context.status, context.arrival) ? to : null));
  return handMade(name, null, description, [must], may, change);
}

function answersNoKey(to: number, said: string, may: readonly RequirementId[]): Defect {
  const where = (due: number, arrival: Arrival): boolean => due === 401 && none(arrival);
  return instead(`no-key-${to}`, `no key is answered with ${said}`, 'AUTH-4', to, where, may);
}

/** The server accepts a text that only resembles a key. */
function letsLike(name: string, description: string, likeness: Likeness): Defect {
  return lets(name, description, ['AUTH-5'], ({ presentation }) => presentation.likeness === likeness);
}

const none = ({ presentation: { way } }: Arrival): boolean => way === 'none';
const unknown = ({ way, holder, text }: Presentation): boolean =>
  (way === 'x-api-key' || way === 'bearer') && holder === null && text !== '';
const presented = (when: (presentation: Presentation) => boolean) => (arrival: Arrival) => when(arrival.presentation);

/** Keys that are accepted or rejected wrongly, or rejected with the wrong status. */
export const AUTHENTICATION_DEFECTS: readonly Defect[] = [
  lets('open-service', 'the service can be read without a key', ['AUTH-1', 'AUTH-4'], (arrival) => {
    return none(arrival) && arrival.group === 'service' && arrival.kind === 'read';
  }),
  lets('open-label-writes', 'labels can be written without a key', ['AUTH-1', 'AUTH-4'], (arrival) => {
    return none(arrival) && arrival.group === 'labels' && arrival.kind === 'write';
  }),
  lets('open-search', 'categories can be searched without a key', ['AUTH-1', 'AUTH-4'], (arrival) => {
    return none(arrival) && arrival.group === 'categories' && arrival.method === 'POST' && arrival.kind === 'read';
  }),
  lets('open', 'no key is needed', ['AUTH-1', 'AUTH-4'], none),
  ...[403, 400, 404].map((to) => answersNoKey(to, `${to}`, OPEN)),
  { ...answersNoKey(302, 'a redirect', [...OPEN, 'STATUS-SET']), name: 'no-key-redirect' },
  answersNoKey(500, '500', [...OPEN, 'STATUS-NO5XX']),
  locks('bearer-rejected', 'a key in Authorization is not accepted', 'AUTH-3', ({ presentation }) => {
    return presentation.way === 'bearer';
  }),
  locks('bearer-rejected-on-writes', 'a key in Authorization is not accepted on writes', 'AUTH-3', (arrival) => {
    return arrival.presentation.way === 'bearer' && arrival.kind === 'write';
  }),
  locks('x-api-key-rejected', 'a key in X-API-Key is not accepted', 'AUTH-2', ({ presentation }) => {
    return presentation.way === 'x-api-key';
  }),
  locks('x-api-key-rejected-on-labels', 'a key in X-API-Key is not accepted on labels', 'AUTH-2', (arrival) => {
    return arrival.presentation.way === 'x-api-key' && arrival.group === 'labels';
  }),
  lets('unknown-key-accepted', 'any key is accepted', ['AUTH-5'], presented(unknown)),
  lets('unknown-key-accepted-on-writes', 'any key is accepted on writes', ['AUTH-5'], ({ kind, presentation }) => {
    return kind === 'write' && unknown(presentation);
  }),
  lets('altered-key-accepted', 'a key is accepted by its first half', ['AUTH-5'], ({ presentation }) => {
    return unknown(presentation) && presentation.resembles !== null;
  }),
  letsLike('key-case-ignored', 'keys are compared without their case', 'case'),
  letsLike('key-by-its-beginning', 'a key is accepted with more after it', 'longer at the end'),
  letsLike('key-by-its-end', 'a key is accepted with more before it', 'longer at the beginning'),
  letsLike('key-without-spaces', 'spaces within a key are taken out', 'spaces inside'),
  letsLike('key-percent-decoded', 'percent-encoded characters of a key are decoded', 'percent-encoded'),
  letsLike('key-without-accents', 'accents are taken off the letters of a key', 'accents'),
  letsLike('first-key-of-a-list', 'of keys that are joined by commas one is enough', 'list'),
  letsLike('bearer-in-x-api-key', 'a key is accepted in X-API-Key after the word Bearer', 'word before'),
  letsLike('basic-accepted', 'a key is accepted as user or password of Basic', 'basic'),
  letsLike('any-scheme-accepted', 'a key is found wherever it stands in Authorization', 'other scheme'),
  letsLike('no-scheme-accepted', 'a key is accepted in Authorization with no scheme', 'no scheme'),
  lets('empty-key-accepted', 'an empty key is accepted', ['AUTH-5'], ({ presentation: { way, text } }) => {
    return way !== 'none' && way !== 'other' && text.trim() === '';
  }),
  lets(
    'other-scheme-accepted',
    'a key is accepted under any scheme',
    ['AUTH-5'],
    presented(({ way, holder }) => way === 'other' && holder !== null),
    [...OPEN, 'HDR-4', 'HDR-5', 'LIMIT-ATOMIC', 'LIMIT-HISTORY'],
  ),
  {
    ...lets(
      'revoked-key-accepted',
      'a revoked key is still accepted',
      [],
      presented(({ holder }) => holder?.role === 'revoked'),
      ['AUTH-5', ...OPEN],
    ),
    observable: 'the specification does not say what revoking a key does: it is measured, and fails nobody',
  },
  ...[403, 404].map((to) =>
    instead(`unknown-key-${to}`, `an unknown key is answered with ${to}`, 'AUTH-5', to, (due, arrival) => {
      return due === 401 && unknown(arrival.presentation);
    }),
  ),
  instead(
    'empty-key-400',
    'an empty key is answered with 400',
    'AUTH-5',
    400,
    (due, { presentation: { way, text } }) => {
      return due === 401 && way !== 'none' && text.trim() === '';
    },
  ),
  instead('permission-ignored', 'a restricted key may write', 'AUTH-6', 200, (due) => due === 403, ['STATUS-403']),
  ...(['bearer', 'x-api-key'] as const).map((way) =>
    instead(
      `permission-unchecked-by-${way}`,
      `a restricted key may write where it is sent by ${way === 'bearer' ? 'Authorization' : 'X-API-Key'}`,
      'AUTH-6',
      200,
      (due, { presentation }) => due === 403 && presentation.way === way,
      ['AUTH-7', 'STATUS-403'],
    ),
  ),
  instead(
    'permission-unchecked-on-labels',
    'a restricted key may create labels',
    'AUTH-6',
    200,
    (due, { operation }) => due === 403 && operation === 'create-label',
    ['STATUS-403'],
  ),
  ...[401, 404, 400].map((to) => {
    const may: readonly RequirementId[] = ['STATUS-403', 'STATUS-401'];
    const said = `lacking permission is answered with ${to}`;
    return instead(`permission-${to}`, said, 'AUTH-6', to, (due) => due === 403, may);
  }),
  instead(
    'bearer-may-not-write',
    'with a key in Authorization, writes are answered with 403',
    'AUTH-3',
    403,
    (due, { presentation, kind }) => due === 200 && presentation.way === 'bearer' && kind === 'write',
    ['AUTH-7', 'STATUS-200', 'STATUS-403', 'LIMIT-HEADER'],
  ),
  instead(
    'bearer-sees-no-labels',
    'with a key in Authorization, labels are not found',
    'AUTH-7',
    404,
    (due, { presentation, group }) => due === 200 && presentation.way === 'bearer' && group === 'labels',
    ['AUTH-3', 'STATUS-200', 'LIMIT-HEADER', 'VERSION-1'],
  ),
  handMade(
    'sporadic-401',
    null,
    'one good key in 40 is not accepted',
    ['AUTH-2'],
    [...LOCKED.filter((id) => id !== 'AUTH-2'), 'HDR-4', 'HDR-5', 'LIMIT-ATOMIC', 'LIMIT-HISTORY'],
    ({ accepts }) => {
      let asked = 0;
      return { accepts: (arrival) => accepts(arrival) && ++asked % 40 !== 0 };
    },
  ),
];
