import fc from 'fast-check';
import { integerOf, LARGE } from '../../judge/fields.ts';
import { STATUSES } from '../../judge/view.ts';
import { malformedOf, type OddAllowance, WHOLE } from '../../plan/allowance.ts';
import { ownParameters } from '../../plan/own-parameters.ts';
import type { Operation } from '../../profile/profile.ts';
import { changes } from '../../profile/repetition.ts';
import { malformedJson, type OddRequest, oddRequests, otherValue, type RuledOut } from '../../property/odd-request.ts';
import type { Random } from '../../random/random.ts';
import { besideOdd, headerOption, quote, variableHeader } from '../../replay/curl.ts';
import type { Exchange, OddParts } from '../../trace/exchange.ts';
import { isAccepted } from '../budget-state.ts';
import { pairOf, type RequestSpec } from '../request-spec.ts';
import type { Session } from '../session.ts';
import { inParallel } from './in-parallel.ts';
import { roomiest } from './roomiest.ts';

const EXPERIMENT = 'odd';

/**
 * Odd requests: malformed JSON to each operation that takes JSON, other values of the profile's query parameters, and
 * arbitrary requests from the seed. The specification states only what holds for every response: the status is one of
 * clause 7 and not 5xx, and the three headers are present and well-formed. If an answer breaks this, smaller forms of
 * the request are sent, as long as the allowance of requests lasts. The smallest one that still breaks it is noted as a
 * curl command. The judge decides what it means.
 *
 * @param ruledOut what an interface description rules out, if there is one
 * @returns the curl command; null if nothing was found
 */
export async function odd(
  session: Session,
  ruledOut: readonly RuledOut[] = [],
  allowance: OddAllowance = WHOLE.odd,
): Promise<string | null> {
  const { operations } = session.profile;
  await inParallel(fixedOddities(operations, allowance), (each) => send(session, each));
  const isWanted = selecting(allowance);
  let left = allowance.requests;
  let isShrinking = false;
  let found: { readonly request: OddRequest; readonly exchange: Exchange } | null = null;
  await fc.check(
    fc.asyncProperty(oddRequests(operations, ruledOut), async (request) => {
      const price = priceOf(request);
      if (left < price || !(isShrinking || isWanted(request))) return true;
      left -= price;
      const exchange = await send(session, request);
      if (exchange === null || holds(exchange)) return true;
      found = { request, exchange };
      if (!isShrinking) left = allowance.shrinks;
      isShrinking = true;
      return false;
    }),
    { seed: seedOf(session.random(EXPERIMENT)), numRuns: drawsOf(allowance) },
  );
  const smallest = found as { readonly request: OddRequest; readonly exchange: Exchange } | null;
  if (smallest === null) return null;
  const curl = curlOf(session, smallest.request, smallest.exchange);
  const seen = smallest.exchange.status;
  session.note(
    'experiment-failed',
    EXPERIMENT,
    `was answered ${seen}, which contradicts the rules for every response: ${curl}`,
  );
  return curl;
}

/**
 * The odd requests of a run in which every answer is right, except those that could not be sent: the same that `odd`
 * sends without an interface description.
 *
 * @param random the source of randomness that the run's seed gives this experiment
 */
export function oddSchedule(
  operations: readonly Operation[],
  random: Random,
  allowance: OddAllowance = WHOLE.odd,
): readonly OddRequest[] {
  const isWanted = selecting(allowance);
  let left = allowance.requests;
  const drawn = fc.sample(oddRequests(operations), { seed: seedOf(random), numRuns: drawsOf(allowance) });
  const afforded = drawn.filter((request) => {
    const price = priceOf(request);
    if (left < price || !isWanted(request)) return false;
    left -= price;
    return true;
  });
  return [...fixedOddities(operations, allowance), ...afforded];
}

/** The odd requests of every run, whatever its seed: they come first. */
export function fixedOddities(operations: readonly Operation[], allowance: OddAllowance): readonly OddRequest[] {
  return [
    ...malformedOf(operations, allowance).map(malformedJson),
    ...ownParameters(operations, allowance.own).map(otherValue),
  ];
}

/** Draws until each oddity has met each kind: the rarest is one in about thirty. */
const DRAWS = 200;

/** How many requests are drawn. */
function drawsOf({ drawn, requests }: OddAllowance): number {
  return drawn === 'all' ? requests : DRAWS;
}

/** Whether a request that can be afforded is one of those to send; to be asked of each in order, and only once. */
function selecting({ drawn }: OddAllowance): (request: OddRequest) => boolean {
  if (drawn === 'all') return () => true;
  // Malformed JSON is sent to each kind anyway.
  const sent = new Set(['malformed-body read', 'malformed-body write']);
  return ({ oddity, operation }) => {
    const place = `${oddity} ${operation.kind}`;
    const isNew = !sent.has(place);
    sent.add(place);
    return isNew;
  };
}

function seedOf(random: Random): number {
  return Math.floor(random() * 2 ** 31);
}

/** Whether an answer follows the rules for every response (clauses 7 and 8.2). A missing answer proves nothing. */
export function holds({ status, headers: { limit, remaining, reset } }: Exchange): boolean {
  if (status === null) return true;
  if (!STATUSES.includes(status) || status >= 500) return false;
  return [limit, remaining, reset].every((each) => integerOf(each) !== null) && (integerOf(reset) ?? 0n) >= LARGE;
}

/**
 * The number of requests that one odd request costs, with its preparation and with the request that restores a thing
 * afterwards.
 */
export function priceOf({ operation }: Pick<OddRequest, 'operation'>): number {
  return 1 + operation.prepare.length + (isPut(operation) ? 1 : 0);
}

function isPut({ method }: OddRequest['operation']): boolean {
  return method === 'PUT' || method === 'PATCH';
}

/**
 * Sends it with the key that has most requests left. If something odd was stored, the plain request follows and
 * restores it.
 */
async function send(session: Session, request: OddRequest): Promise<Exchange | null> {
  const { operation, oddity, path, query, parameters, headers, body } = request;
  const key = roomiest(session.keys.full, operation.kind, session.budget, session.clock.now()) ?? null;
  const base: RequestSpec = { experiment: EXPERIMENT, step: oddity, operation, key, pair: pairOf(operation) };
  const added = parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  const exchange = await session.attempt({
    ...base,
    fault: 'unstated',
    variation: oddity,
    probe: {
      ...operation,
      name: oddity,
      operation: operation.id,
      path,
      query,
      body,
      headers: besideOdd(operation.headers, headers),
    },
    odd: oddParts(request),
    extraHeaders: headers,
    retarget: (target) => (added === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${added}`),
  });
  if (exchange && isAccepted(exchange) && isPut(operation) && changes(operation)) {
    await session.attempt({ ...base, step: 'restore' });
  }
  return exchange;
}

function oddParts({ operation, headers, body }: OddRequest): OddParts {
  return {
    ...(body !== null && body !== operation.body && { body }),
    ...(headers.length > 0 && { headers }),
  };
}

/**
 * One line for a POSIX shell that sends it again. The key is `$SIZE_CHART_KEY`, and the values of the profile's headers
 * are variables. The shell itself writes these to curl's standard input: everybody can read the arguments of a process.
 */
function curlOf(session: Session, { operation, headers, body }: OddRequest, { method, target }: Exchange): string {
  const key = session.way === 'bearer' ? '"Authorization: Bearer $SIZE_CHART_KEY"' : '"X-API-Key: $SIZE_CHART_KEY"';
  const kept = Object.keys(besideOdd({ ...session.profile.http.headers, ...operation.headers }, headers));
  const secret = [key, ...kept.map(variableHeader)];
  return [
    `printf '%s\\n' ${secret.join(' ')} | curl -i -X ${quote(method)} -H @-`,
    ...headers.map(headerOption),
    ...(body === null ? [] : [`-H ${quote(`Content-Type: ${body.contentType}`)} --data-raw ${quote(body.text)}`]),
    quote(`${session.profile.baseUrl}${target}`),
  ].join(' ');
}
