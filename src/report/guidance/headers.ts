import type { FallibleId, Guidance } from './guidance.ts';

type Id = Extract<FallibleId, `HDR-${string}`>;

export const HEADER_GUIDANCE: Readonly<Record<Id, Guidance>> = {
  'HDR-1': {
    meaning:
      'A response lacked `X-RateLimit-Limit`, `X-RateLimit-Remaining` or `X-RateLimit-Reset`. The verdict is split by status, so the part that failed says which responses lack them.',
    causes: [
      'The limiter sits behind the check of the key, so a 401 or 403 never passes it.',
      'Unknown paths never reach the limiter, so a 404 lacks the headers.',
      'Refusals are made by another piece of code, which sends `Retry-After` only.',
      'The limiter gives `X-RateLimit-Reset` on refusals alone, which is the default of some frameworks.',
      'The error handler makes a new response and drops the headers set before: 400 and 500 lack them.',
      'The limiter sends the newer names `RateLimit-*`, or none unless asked.',
    ],
    remedies: [
      'Set the three headers in one place that every response passes on its way out, errors included.',
      'Responses without an accepted key belong to no budget. They need the headers too; any integers will do there, as long as the marker is a large one.',
    ],
  },
  'HDR-2': {
    meaning:
      'One of the three headers was not one integer in decimal digits: it was there twice, or held a fraction, a date, a unit, a list or a word. The part that failed names the header.',
    causes: [
      'Gateway and application both set the header, and the client gets two lines or `100, 99`.',
      'The limiter appends its policy, as in `10, 10;w=60`.',
      'A number is printed as a floating-point one: `100.00` or `1763704800.25`.',
      'The marker is printed as a date.',
    ],
    remedies: [
      'Let one component set the headers and the others pass them on.',
      'Round, and print without a decimal point or exponent.',
    ],
  },
  'HDR-3': {
    meaning: '`X-RateLimit-Limit` was not the limit that applies: 100 on a read, 30 on a write.',
    causes: [
      'One limiter with one limit covers both kinds, or the limit of the last limiter in a chain wins.',
      'The header shows another policy than the one that refuses, such as a daily quota.',
      'The deployment takes an operation for a read that the profile names a write, or the other way round.',
    ],
    remedies: [
      'Send the limit of the policy that decided about this request.',
      'Check `kind` of the operation in the profile. The specification does not say which operations are writes, so the profile does.',
    ],
  },
  'HDR-4': {
    meaning:
      '`X-RateLimit-Remaining` was not what was left in the window, as any admissible mechanism counts it: it was out of range, fell too fast or too slowly, or did not fall at all. Requests that were under way at once are allowed for, as are values that are read late.',
    causes: [
      'The number is read from a replica or cache that is behind.',
      'Middleware is attached twice, and each request is counted twice.',
      'Some requests are counted and not shown, or shown and not counted.',
      'The number is not held at zero, and goes on below it.',
      'A new window begins under its new marker, but with the count of the old one.',
    ],
    remedies: [
      'Take the number from the same atomic step that decided about the request.',
      'Hold it at zero on refusals.',
      'The proof shows the two or three answers that cannot both be right, in order.',
    ],
  },
  'HDR-5': {
    meaning:
      'Remaining and refusals contradict each other: a 429 said that requests were left, or a request was refused although a completed answer before it had left room for it.',
    causes: [
      'Remaining is the value before this request was counted, so the last one that passes says 1 and the next is refused.',
      'Refusals carry default headers, with the whole limit as what remains.',
      'Two limits apply, and the headers show the one that did not refuse.',
      'Several nodes keep counts of their own and answer by turns.',
    ],
    remedies: [
      'Count first, then report what is left.',
      'Set Remaining to 0 on every 429.',
      'Where several limits apply to a request, show the one that is nearest to its end.',
    ],
  },
  'HDR-6': {
    meaning:
      '`X-RateLimit-Reset` was not a large integer. The suite reads this as at least 1 000 000: a count of seconds to go, such as 42, marks no point in time.',
    causes: [
      'The limiter sends the `seconds to go` until the reset, as the newer `RateLimit-Reset` does, or the `milliseconds to go`.',
      'Seconds to go are sent on some responses and a point in time on others.',
    ],
    remedies: [
      'Send the time of the reset as seconds or milliseconds since the Unix epoch. Other units are inferred and reported, and do not fail.',
      'Most limiters have an option for it, or hand over the reset as a date that can be converted.',
    ],
  },
  'HDR-7': {
    meaning:
      'The marker did not tell when the window resets: it lay in the past, more than one window ahead, or its time had passed and the budget was not back. The offset between the clocks is measured from `Date` and allowed for, and so is one unit of rounding.',
    causes: [
      'The marker is the start of the window instead of its end.',
      'Seconds are added to milliseconds, or the other way round.',
      'The marker is computed from a clock that is off, or in local time instead of UTC.',
      'The marker of the first window is kept for ever after.',
      'Refusals or other requests move the end of the window, and the marker does not tell.',
    ],
    remedies: [
      'Take the marker from the window itself: its start plus one minute.',
      'Keep the clocks of all nodes in step with each other. An offset that all share fails nothing.',
    ],
  },
  'HDR-8': {
    meaning:
      'The marker moved where it must stand still. In a fixed window it is the same on every answer; with a sliding mechanism it never goes back. A wobble of at most one unit plus the round trip passes with a note.',
    causes: [
      'The marker is always now plus one minute, though the windows are fixed.',
      'The marker is computed as now plus the time left, with two readings of the clock that are far apart.',
      'Each refusal starts the minute anew.',
      'Nodes compute the marker from clocks of their own, which differ.',
    ],
    remedies: [
      'Store the end of the window with its count, and send what is stored.',
      'Where only the time left is known, round it so that the sum stays put within a window.',
    ],
  },
};
