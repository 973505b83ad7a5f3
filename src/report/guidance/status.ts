import { AUTHENTICATION_GUIDANCE } from './authentication.ts';
import type { FallibleId, Guidance } from './guidance.ts';

type Id = Extract<FallibleId, `STATUS-${string}`>;

export const STATUS_GUIDANCE: Readonly<Record<Id, Guidance>> = {
  'STATUS-200': {
    meaning:
      'A request that succeeded was answered with another status than 200. The specification states one status for success.',
    causes: [
      'A framework answers 201 to whatever creates something, and 204 where there is no body.',
      'Work is put in a queue and answered 202.',
      'Lists are answered 206 where only one page is given.',
    ],
    remedies: [
      'Set the status to 200 where the framework chooses another.',
      'Where changing it would break clients, name the deviation as a waiver: it is shown, and is not a pass.',
    ],
  },
  'STATUS-400': {
    meaning: 'A request with one invalid parameter was answered with another status than 400.',
    causes: [
      'A validation library answers 422 by default.',
      'Invalid values are ignored or replaced by a default, and the answer is 200.',
      'A value that cannot be converted fails somewhere later, and the answer is 500.',
      'The probe is not invalid for this deployment: it accepts what the profile takes for invalid.',
    ],
    remedies: [
      'Map validation errors to 400 in one place.',
      'Check in the profile that exactly one thing is wrong with the probe. The operation as it stands is its control, and must succeed.',
    ],
  },
  'STATUS-401': {
    meaning:
      'Somewhere in the run a request without an accepted key was answered with another status than 401. It sums up what AUTH-4 and AUTH-5 see in their own probes over all requests.',
    causes: [...AUTHENTICATION_GUIDANCE['AUTH-4'].causes, ...AUTHENTICATION_GUIDANCE['AUTH-5'].causes],
    remedies: ['Start with AUTH-4 and AUTH-5: their proofs are smaller.'],
  },
  'STATUS-403': {
    meaning:
      'Somewhere in the run a request whose key lacks permission was answered with another status than 403. It judges the same requests as AUTH-6, by the table of status codes.',
    causes: AUTHENTICATION_GUIDANCE['AUTH-6'].causes,
    remedies: AUTHENTICATION_GUIDANCE['AUTH-6'].remedies,
  },
  'STATUS-404': {
    meaning: 'A request for a thing that does not exist was answered with another status than 404.',
    causes: [
      'A lookup that finds nothing is answered 200 with an empty body.',
      'Things that were deleted are answered 410.',
      'An identifier of another form than usual is answered 400. Where that form is what is wrong, it is an invalid parameter and not a missing thing.',
      'An empty result is not expected, and the answer is 500.',
    ],
    remedies: [
      'Answer 404 where the lookup gives nothing.',
      'Let the probe name a thing of the usual form that does not exist, such as a number far beyond the last one.',
    ],
  },
  'STATUS-429': {
    meaning:
      'Requests over the limit were refused with another status than 429. Clients that wait on a 429 do not wait on it.',
    causes: [
      'Some limiters and gateways refuse with 503 or 403 unless they are told otherwise.',
      'An adaptor turns an unknown status into 500.',
      'The limiter only reports, and everything is let through: then see LIMIT-R and LIMIT-W.',
    ],
    remedies: ['Set the status of refusals to 429 in the limiter, and in the gateway where that refuses first.'],
  },
  'STATUS-500': {
    meaning:
      'A failure that the profile says how to provoke was answered with another status than 500. Without such a probe this is not tested, which blocks no certificate.',
    causes: [
      'A gateway turns a failing backend into 502, 503 or 504.',
      'Failures are caught and answered 200 with an error in the body, or 400.',
    ],
    remedies: ['Answer 500 in the last error handler, and let the gateway pass it on.'],
  },
  'STATUS-SET': {
    meaning:
      'An operation named in the profile answered with a status that is not in the table of the specification: 200, 400, 401, 403, 404, 429 or 500.',
    causes: [
      'Defaults of a framework: 201, 202, 204, 301, 304, 405, 409, 415, 422.',
      'A gateway in front answers for the deployment: 502, 503, 504.',
      'The store behind a limiter fails, and the limiter answers with a status of its own.',
    ],
    remedies: [
      'Map each status outside of the table to the one whose meaning covers it: a conflict or an unreadable body is an invalid parameter, 400.',
      'Do not redirect paths of the API. Serve them where they are named.',
    ],
  },
  'STATUS-NO5XX': {
    meaning:
      'A request that was not meant to provoke a failure was answered 5xx. One such answer is enough: a failure that was seen once stays, with its proof.',
    causes: [
      'Too few workers or database connections for the bursts of the run, which are no larger than what one key may send.',
      'Two requests that arrive at once collide on one row, and the second fails.',
      'A deployment or restart during the run.',
      'A gateway gives up sooner than the deployment answers.',
    ],
    remedies: [
      'Look the request up in the log of the deployment: the report gives its time, method and path, and every request of the suite names it in `User-Agent`.',
      'Run again on a deployment that nothing else changes meanwhile. A clean run is a run of its own, and the old one stays as it is.',
    ],
  },
};
