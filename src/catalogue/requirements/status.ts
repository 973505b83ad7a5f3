import { derived, fixed } from '../requirement.ts';

/** Clause 7: status codes. */
export const STATUS_REQUIREMENTS = [
  fixed('STATUS-200', ['7'], {
    title: '200 on success',
    statement: 'A request that succeeds answers 200.',
  }),
  fixed('STATUS-400', ['7'], {
    title: '400 on an invalid parameter',
    statement: 'A request with an invalid parameter answers 400.',
  }),
  fixed('STATUS-401', ['5.4', '7'], {
    title: '401 whenever no key was accepted',
    statement: 'As AUTH-4 and AUTH-5, seen over the whole run.',
  }),
  fixed('STATUS-403', ['5.5', '7'], {
    title: '403 whenever permission is lacking',
    statement: 'As AUTH-6, seen over the whole run.',
  }),
  fixed('STATUS-404', ['7'], {
    title: '404 for what does not exist',
    statement: 'A request for a thing that does not exist answers 404.',
  }),
  fixed('STATUS-429', ['7', '8.1'], {
    title: '429 over the limit',
    statement:
      "A request over the key's limit answers 429. (Breaking off the connection, or no answer, to requests over the limit and to no others is not 429.)",
  }),
  fixed('STATUS-500', ['7'], {
    title: '500 on an internal failure',
    statement: 'An internal failure answers 500 (judged only where the target profile names a way to provoke one).',
    optional: true,
  }),
  derived('STATUS-SET', ['7'], {
    title: 'No status outside the table',
    statement:
      'Every status with which an operation named in the profile answers is one of 200, 400, 401, 403, 404, 429, 500.',
    witnesses: 10,
  }),
  derived('STATUS-NO5XX', ['7'], {
    title: 'No unprovoked 5xx',
    statement: 'No request that is not meant to provoke a failure answers 5xx, under load included.',
    witnesses: 10,
  }),
];
