import type { Factor } from '../../catalogue/coverage.ts';
import { BAD_KEYS } from '../../catalogue/key-states.ts';
import type { RequirementId } from '../../catalogue/requirement.ts';
import { SECOND } from '../../deployment/deployment.ts';
import { pick } from '../../deployment/operator.ts';
import { badCredential } from '../../drive/credentials.ts';
import type { Levels } from '../../plan/cover.ts';
import { levelsOf, type PlanKeys, possibleTrials } from '../../plan/trials.ts';
import { type Random, seededRandom } from '../../random/random.ts';
import { MADE_UP_KEY, madeUpKey } from '../../random/seeded-schedule.ts';
import { behaviourOf } from '../../reference/behaviour.ts';
import type { KeySet } from '../../reference/credentials.ts';
import { type Deferred, isDeferred } from '../../reference/mechanisms/limiter.ts';
import type { Received, Service, ServiceAnswer, ServiceRequest } from '../../reference/service.ts';
import { drawChoices } from './draw-deployment.ts';
import { drawProfile, wholeProfile } from './draw-profile.ts';
import type { VirtualRunOptions } from './virtual-run.ts';

/** A run against a deployment that answers one class of requests, defined by two factors, wrongly. */
export interface AnswerDraw {
  readonly options: VirtualRunOptions;
  /** The wrong answer breaks at least one of these. */
  readonly broken: readonly RequirementId[];
  /** In words, for whoever looks into a miss. */
  readonly what: string;
}

const FACTORS: readonly Factor[] = ['operation', 'group', 'kind', 'method', 'way', 'fault', 'state', 'key'];
const KEYS: PlanKeys = { full: ['key-1', 'key-2', 'key-3', 'key-4'], restricted: true, revoked: true };

/** The fault of an answer, and the requirements that it breaks. */
interface Wrong {
  readonly what: string;
  readonly broken: readonly RequirementId[];
  readonly change: (answer: ServiceAnswer) => ServiceAnswer;
}

/** The wrong statuses for each fault, with the requirements of which at least one must fail. */
const STATUSES: Readonly<Record<string, readonly (readonly [number, readonly RequirementId[]])[]>> = {
  none: [[201, ['STATUS-200']]],
  'no-key': [
    [200, ['AUTH-1']],
    [403, ['AUTH-4']],
    [404, ['AUTH-4']],
  ],
  'bad-key': [
    [200, ['AUTH-5']],
    [403, ['AUTH-5']],
    [404, ['AUTH-5']],
  ],
  permission: [
    [200, ['AUTH-6']],
    [404, ['AUTH-6']],
  ],
  parameter: [
    [200, ['STATUS-400']],
    [404, ['STATUS-400']],
  ],
  missing: [
    [200, ['STATUS-404']],
    [400, ['STATUS-404']],
  ],
  internal: [[503, ['STATUS-500', 'STATUS-SET']]],
};

/** The draw of a seed: a class of requests that profile and keys allow, and the wrong answer to it. */
export function drawAnswer(seed: number): AnswerDraw {
  const random = seededRandom(seed, 'answers');
  const profile = random() < 0.5 ? wholeProfile() : drawProfile(random);
  const possible = possibleTrials(profile, KEYS, profile.operations, false).map(levelsOf);
  const faults = [...new Set(possible.flatMap(({ fault }) => fault ?? []))];
  const fault = pick(random, faults);
  const levels = pick(
    random,
    possible.filter((each) => each.fault === fault),
  );
  const present = FACTORS.filter((factor) => levels[factor] !== undefined);
  // The correct status depends on the fault, so a wrong status needs the fault as one of the two factors.
  const symptom = pick(random, ['lacks', 'malformed', 'outside', 'error', 'status', 'status', 'status'] as const);
  const one = symptom === 'status' ? 'fault' : pick(random, present);
  const other = pick(
    random,
    present.filter((factor) => factor !== one),
  );
  const where: Levels = { [one]: levels[one], [other]: levels[other] };
  // The correct answer to an internal failure is 500.
  const wrong = wrongOf(random, symptom === 'error' && fault === 'internal' ? 'outside' : symptom, fault);
  const choices = drawChoices(random);
  return {
    options: {
      profile,
      keys: KEYS.full.length,
      conduct: (times) => behaviourOf({ choices, deviations: [] }, times),
      seed,
      epoch: Date.UTC(2026, 10, 21, 8, 30) * 1000 + Math.floor(random() * 3600 * SECOND),
      around: (service, keys) => answering(service, levelsReader(keys, seed), where, wrong),
    },
    broken: wrong.broken,
    what: `${JSON.stringify(where)}: ${wrong.what}. ${profile.operations.length} operations.`,
  };
}

function wrongOf(random: Random, symptom: string, fault: string): Wrong {
  const header = `X-RateLimit-${pick(random, ['Limit', 'Remaining', 'Reset'])}`;
  const status = (code: number) => (answer: ServiceAnswer) => ({ ...answer, status: code });
  switch (symptom) {
    case 'lacks':
      return { what: `no ${header}`, broken: ['HDR-1'], change: (answer) => withHeader(answer, header, null) };
    case 'malformed':
      return { what: `${header}: many`, broken: ['HDR-2'], change: (answer) => withHeader(answer, header, 'many') };
    case 'outside':
      return { what: '418', broken: ['STATUS-SET'], change: status(418) };
    case 'error':
      return { what: '500', broken: ['STATUS-NO5XX'], change: status(500) };
    default: {
      const [code, broken] = pick(random, STATUSES[fault] ?? [[418, ['STATUS-SET']]]);
      return { what: `${code}`, broken, change: status(code) };
    }
  }
}

function withHeader(answer: ServiceAnswer, header: string, value: string | null): ServiceAnswer {
  const lines = answer.lines.flatMap((name, index, all) => {
    if (index % 2 === 1) return [];
    if (name !== header) return [name, all[index + 1] ?? ''];
    return value === null ? [] : [name, value];
  });
  return { ...answer, lines };
}

/** The service, with the wrong answers to the requests that have these levels. */
function answering(
  service: Service,
  levelsOf: (request: ServiceRequest, received: Received) => Levels,
  where: Levels,
  { change }: Wrong,
): Service {
  const meant = new WeakSet<Received>();
  return {
    ...service,
    receive(request, now) {
      const look = (outcome: Received | Deferred<Received>): Received | Deferred<Received> => {
        if (isDeferred(outcome)) return { wait: outcome.wait, resume: (later) => look(outcome.resume(later)) };
        const levels = levelsOf(request, outcome);
        if (FACTORS.every((factor) => !(factor in where) || levels[factor] === where[factor])) meant.add(outcome);
        return outcome;
      };
      return look(service.receive(request, now));
    },
    answer(received, now) {
      const answer = service.answer(received, now);
      return meant.has(received) ? change(answer) : answer;
    },
  };
}

const DUE: Readonly<Record<number, string>> = {
  200: 'none',
  400: 'parameter',
  403: 'permission',
  404: 'missing',
  429: 'over-limit',
  500: 'internal',
};

/** Returns the levels of a request in the plan's terms, from what a server sees. */
function levelsReader({ full }: KeySet, seed: number) {
  const unknown = madeUpKey(full[0]?.length ?? 0, seededRandom(seed, MADE_UP_KEY));
  const states = new Map<string, Levels>();
  full.forEach((secret, index) => {
    for (const badKey of BAD_KEYS) {
      for (const way of badKey.ways) {
        const bad = badCredential(badKey, way, { alias: `key-${index + 1}`, secret, madeUp: unknown, all: full });
        const [name = '', value = ''] = bad?.credential.headers[0] ?? [];
        const key = bad === null || bad.key === 'unknown' ? {} : { key: bad.key };
        if (bad)
          states.set(`${name.toLowerCase()} ${value.trim()}`, { way, fault: 'bad-key', state: badKey.name, ...key });
      }
    }
  });
  return ({ headers }: ServiceRequest, { admission: { arrival, status } }: Received): Levels => {
    const { operation, group, kind, method, presentation } = arrival;
    const [name, value] = ['x-api-key', 'authorization'].flatMap((each) => {
      const text = headers[each];
      return text === undefined ? [] : [[each, text.trim()] as const];
    })[0] ?? ['', ''];
    const credential: Levels = states.get(`${name} ${value}`) ?? {
      way: presentation.way,
      fault: presentation.way === 'none' ? 'no-key' : (DUE[status] ?? 'bad-key'),
      ...(presentation.holder === null ? {} : { key: presentation.holder.name }),
    };
    return {
      ...credential,
      kind,
      method,
      ...(operation === null ? {} : { operation }),
      ...(group === null ? {} : { group }),
    };
  };
}
