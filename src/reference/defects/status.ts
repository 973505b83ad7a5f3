import type { RequirementId } from '../../catalogue/requirement.ts';
import type { Arrival } from '../arrival.ts';
import { type Change, COUNTING, type Defect, handMade, instead, status, WINDOWS } from './defect.ts';

function wrong(
  name: string,
  from: number,
  to: number,
  must: RequirementId,
  may: readonly RequirementId[],
  isMeant?: (arrival: Arrival) => boolean,
): Defect {
  return instead(name, `${to} where ${from} is due`, [from, to], must, may, isMeant);
}

/** Requirements that a random wrong status can break, since it may hit any probe. */
const ANY_PROBE: readonly RequirementId[] = [
  'AUTH-2',
  'AUTH-3',
  'AUTH-6',
  'AUTH-7',
  'STATUS-200',
  'STATUS-400',
  'STATUS-403',
  'STATUS-404',
  'STATUS-429',
  'STATUS-500',
  'STATUS-SET',
  'STATUS-NO5XX',
];

function sporadic(name: string, number: number | null, to: number, each: number, must: RequirementId): Defect {
  const description = `one request in ${each} is answered with ${to}`;
  const change: Change = (conforming) => {
    let answered = 0;
    return status(to, ({ status: due }) => due !== 401 && ++answered % each === 0)(conforming);
  };
  return handMade(name, description, { number, must: [must], may: [...COUNTING, ...ANY_PROBE], change });
}

function refusing(name: string, to: number, may: readonly RequirementId[]): Defect {
  const description = `a request over the limit is answered with ${to}`;
  return { ...instead(name, description, [429, to], 'STATUS-429', [...WINDOWS, ...may]), number: 68 };
}

function served(name: string, prefix: string): Defect {
  return handMade(name, `the API is served ${prefix === '' ? 'without a prefix' : `under ${prefix}`}`, {
    must: ['VERSION-1'],
    change: () => ({ prefix }),
  });
}

const method =
  (name: string) =>
  ({ method: sent, kind }: Arrival): boolean =>
    sent === name && kind === 'write';

/** Statuses that are not in the table of clause 7, or not the ones that are due. */
export const STATUS_DEFECTS: readonly Defect[] = [
  wrong('created-201', 200, 201, 'STATUS-200', ['STATUS-SET'], method('POST')),
  wrong('deleted-204', 200, 204, 'STATUS-200', ['STATUS-SET'], method('DELETE')),
  wrong('updated-202', 200, 202, 'STATUS-200', ['STATUS-SET'], method('PUT')),
  wrong('listed-206', 200, 206, 'STATUS-200', ['STATUS-SET'], ({ operation }) => operation === 'list-categories'),
  wrong('redirected-301', 200, 301, 'STATUS-SET', ['STATUS-200', 'VERSION-1'], ({ group }) => group === 'labels'),
  wrong('invalid-200', 400, 200, 'STATUS-400', []),
  wrong('invalid-422', 400, 422, 'STATUS-400', ['STATUS-SET']),
  wrong('invalid-404', 400, 404, 'STATUS-400', []),
  wrong('invalid-500', 400, 500, 'STATUS-400', ['STATUS-NO5XX']),
  wrong('missing-200', 404, 200, 'STATUS-404', []),
  wrong('missing-400', 404, 400, 'STATUS-404', []),
  wrong('missing-410', 404, 410, 'STATUS-404', ['STATUS-SET']),
  wrong('missing-500', 404, 500, 'STATUS-404', ['STATUS-NO5XX']),
  wrong('failing-503', 500, 503, 'STATUS-500', ['STATUS-SET']),
  wrong('failing-200', 500, 200, 'STATUS-500', []),
  wrong('failing-400', 500, 400, 'STATUS-500', []),
  refusing('refused-503', 503, ['STATUS-SET', 'STATUS-NO5XX']),
  refusing('refused-403', 403, ['STATUS-403', 'STATUS-200']),
  refusing('refused-200', 200, ['LIMIT-SCOPE', 'LIMIT-EVADE', 'LIMIT-HEADER']),
  handMade('refused-by-reset', 'over the limit the connection is reset', {
    number: 68,
    must: ['STATUS-429'],
    may: WINDOWS,
    change: () => ({ breaksOff: ({ status: due }) => due === 429 }),
  }),
  handMade('malformed-json-500', 'malformed JSON is answered with 500', {
    must: ['STATUS-NO5XX'],
    change: status(500, ({ arrival }) => arrival.malformed && arrival.presentation.holder !== null),
  }),
  sporadic('sporadic-428', 69, 428, 50, 'STATUS-SET'),
  sporadic('sporadic-500', null, 500, 60, 'STATUS-NO5XX'),
  sporadic('sporadic-503', null, 503, 80, 'STATUS-NO5XX'),
  served('prefix-v1', '/v1'),
  served('prefix-api-v2', '/api/v2'),
  served('prefix-none', ''),
  handMade('labels-elsewhere', 'labels are not served under the prefix', {
    must: [],
    may: ['VERSION-1', 'STATUS-200', 'STATUS-400', 'STATUS-403', 'AUTH-2', 'AUTH-3', 'AUTH-6', 'LIMIT-SCOPE'],
    change: status(404, ({ status: due, arrival }) => due !== 401 && due !== 429 && arrival.group === 'labels'),
    observable:
      'it is no other than a profile that names paths which do not exist: the run is inconclusive and says so',
  }),
];
