import type { RequirementId } from '../../catalogue/requirement.ts';
import type { Arrival, Likeness, Presentation } from '../arrival.ts';
import { by, type Change, COUNTING, type Defect, handMade, instead } from './defect.ts';

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
  const change: Change = ({ accepts }) => ({ accepts: (arrival) => accepts(arrival) || who(arrival) });
  return handMade(name, description, { must, may, change });
}

function locks(name: string, description: string, must: RequirementId, who: (arrival: Arrival) => boolean): Defect {
  const may = LOCKED.filter((id) => id !== must);
  const change: Change = ({ accepts }) => ({ accepts: (arrival) => accepts(arrival) && !who(arrival) });
  return handMade(name, description, { must: [must], may, change });
}

function answersNoKey(to: number, said: string, may: readonly RequirementId[]): Defect {
  return instead(`no-key-${to}`, `no key is answered with ${said}`, [401, to], 'AUTH-4', may, none);
}

/** The server accepts a text that only resembles a key. */
function letsLike(name: string, description: string, likeness: Likeness): Defect {
  return lets(name, description, ['AUTH-5'], ({ presentation }) => presentation.likeness === likeness);
}

const none = by('none');
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
  locks('bearer-rejected', 'a key in Authorization is not accepted', 'AUTH-3', by('bearer')),
  locks('bearer-rejected-on-writes', 'a key in Authorization is not accepted on writes', 'AUTH-3', (arrival) => {
    return arrival.presentation.way === 'bearer' && arrival.kind === 'write';
  }),
  locks('x-api-key-rejected', 'a key in X-API-Key is not accepted', 'AUTH-2', by('x-api-key')),
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
    [...OPEN, ...COUNTING],
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
  ...[403, 404].map((to) => {
    const said = `an unknown key is answered with ${to}`;
    return instead(`unknown-key-${to}`, said, [401, to], 'AUTH-5', OPEN, presented(unknown));
  }),
  instead('empty-key-400', 'an empty key is answered with 400', [401, 400], 'AUTH-5', OPEN, ({ presentation }) => {
    return presentation.way !== 'none' && presentation.text.trim() === '';
  }),
  instead('permission-ignored', 'a restricted key may write', [403, 200], 'AUTH-6', ['STATUS-403']),
  ...(['bearer', 'x-api-key'] as const).map((way) => {
    const said = `a restricted key may write where it is sent by ${way === 'bearer' ? 'Authorization' : 'X-API-Key'}`;
    return instead(`permission-unchecked-by-${way}`, said, [403, 200], 'AUTH-6', ['AUTH-7', 'STATUS-403'], by(way));
  }),
  instead(
    'permission-unchecked-on-labels',
    'a restricted key may create labels',
    [403, 200],
    'AUTH-6',
    ['STATUS-403'],
    ({ operation }) => operation === 'create-label',
  ),
  ...[401, 404, 400].map((to) => {
    const said = `lacking permission is answered with ${to}`;
    return instead(`permission-${to}`, said, [403, to], 'AUTH-6', ['STATUS-403', 'STATUS-401']);
  }),
  instead(
    'bearer-may-not-write',
    'with a key in Authorization, writes are answered with 403',
    [200, 403],
    'AUTH-3',
    ['AUTH-7', 'STATUS-200', 'STATUS-403', 'LIMIT-HEADER'],
    (arrival) => by('bearer')(arrival) && arrival.kind === 'write',
  ),
  instead(
    'bearer-sees-no-labels',
    'with a key in Authorization, labels are not found',
    [200, 404],
    'AUTH-7',
    ['AUTH-3', 'STATUS-200', 'LIMIT-HEADER', 'VERSION-1'],
    (arrival) => by('bearer')(arrival) && arrival.group === 'labels',
  ),
  handMade('sporadic-401', 'one good key in 40 is not accepted', {
    must: ['AUTH-2'],
    may: [...LOCKED.filter((id) => id !== 'AUTH-2'), ...COUNTING],
    change({ accepts }) {
      let asked = 0;
      return { accepts: (arrival) => accepts(arrival) && ++asked % 40 !== 0 };
    },
  }),
];
