import { derived, fixed, observed } from '../requirement.ts';

/** Clause 5: authentication. */
export const AUTHENTICATION_REQUIREMENTS = [
  fixed('AUTH-1', ['5.1'], {
    title: 'No success without a key',
    statement:
      'No operation of any resource group (the service, Categories, Labels) answers successfully without a key.',
    witnesses: 3,
  }),
  fixed('AUTH-2', ['5.2'], {
    title: 'X-API-Key is accepted',
    statement: 'A valid key in `X-API-Key` is accepted.',
    witnesses: 3,
  }),
  fixed('AUTH-3', ['5.2'], {
    title: 'Authorization: Bearer is accepted',
    statement: 'A valid key in `Authorization: Bearer` is accepted.',
    witnesses: 3,
  }),
  fixed('AUTH-4', ['5.4'], {
    title: '401 with no key',
    statement: 'With no key supplied, the status is 401, for every operation.',
    witnesses: 3,
  }),
  fixed('AUTH-5', ['7'], {
    title: '401 with a key that is not accepted',
    statement:
      'With a key that is not accepted (unknown; a neighbour of a good one: another letter’s case, a character altered, lacking or too many at either end or inside; empty; a scheme other than Bearer, well-formed or bare), the status is 401, by either header, on every group and kind.',
    witnesses: 4,
  }),
  fixed('AUTH-6', ['5.5'], {
    title: '403 without permission',
    statement:
      'With a key that lacks permission for the operation, the status is 403, for every operation that is forbidden to it, by either header.',
  }),
  derived('AUTH-7', ['5.2'], {
    title: 'Both ways of sending a key are alike',
    statement: 'Both ways of sending a key give the same answer for the same operation.',
    dependsOn: ['AUTH-2', 'AUTH-3'],
    witnesses: 2,
  }),
  observed('AUTH-O1', ['5.2'], {
    title: 'Both headers at once',
    statement: 'What happens when both headers are present: same key, different keys, one valid and one not.',
  }),
  observed('AUTH-O2', ['5.2'], {
    title: 'Spelling of the credentials',
    statement: 'Case of the `Bearer` scheme word, extra spaces, repeated headers.',
  }),
  observed('AUTH-O3', ['5.2'], {
    title: 'Other places for a key',
    statement: 'Whether the same key in a query parameter or a cookie authenticates.',
  }),
];
