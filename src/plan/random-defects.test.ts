import { expect, test } from 'vitest';
import type { Factor } from '../catalogue/coverage.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import { judge } from '../judge/conclude.ts';
import { exchanges, headers, limitsThat, type Sketch, traceOf } from '../judge/trace-builder.test-support.ts';
import { type Random, seededRandom } from '../random/random.ts';
import type { Exchange } from '../trace/exchange.ts';
import type { Levels } from './cover.ts';
import { aliases, profileOf, wholePlan } from './plan.test-support.ts';
import { levelsOf, operationLevels, possibleTrials, type Trial } from './trials.ts';

const DRAWS = Number(process.env.DEFECT_DRAWS ?? 200);
/** Without deletions: what they take away from others is told apart elsewhere. */
const PROFILE = profileOf(10, ['POST', 'PUT', 'PATCH']);
const KEYS = aliases(4);
const PLAN = wholePlan(PROFILE, 4);
const DUE = { none: 200, 'no-key': 401, 'bad-key': 401, permission: 403, parameter: 400, missing: 404, internal: 500 };

interface Row {
  readonly levels: Levels;
  readonly sketch: Sketch;
}

/** What a conforming deployment answers to the plan: its single requests, and one of each class of the bursts. */
const CONFORMING: readonly Row[] = [
  ...PLAN.tracks.flatMap(({ key, loads }) =>
    loads.flatMap(({ carriers }) =>
      carriers.flatMap(({ operation, way }): Row[] => {
        const levels = { ...operationLevels(operation), way, key };
        const sketch = { ...named(operation), key, credential: way, headers: headersOf(operation.kind) };
        return [
          { levels: { ...levels, fault: 'none' }, sketch },
          { levels: { ...levels, fault: 'over-limit' }, sketch: { ...sketch, status: 429 } },
        ];
      }),
    ),
  ),
  ...[...PLAN.schedule.early, ...PLAN.schedule.late].map((trial) => ({
    levels: levelsOf(trial),
    sketch: sketchOf(trial),
  })),
  ...PROFILE.operations
    .filter(({ kind }) => kind === 'read')
    .slice(0, 1)
    .map((operation) => ({
      levels: operationLevels(operation),
      sketch: { ...named(operation), key: 'restricted', fault: 'unstated' as const },
    })),
];

function named({ id, group, kind, method, path }: Trial['operation']): Sketch {
  return { operation: id, group, kind, method, target: path, pair: `op ${id}` };
}

function headersOf(kind: 'read' | 'write') {
  return headers({ limit: [kind === 'read' ? '100' : '30'] });
}

function sketchOf({ operation, way, fault, badKey, key, probe }: Trial): Sketch {
  return {
    ...named(operation),
    target: probe === null ? operation.path : `${operation.path}/${fault}`,
    step: probe?.name ?? 'probe',
    credential: way,
    fault,
    key,
    variation: badKey?.name ?? null,
    status: DUE[fault],
    headers: headersOf(operation.kind),
  };
}

/** A class of requests that two factors tell from the others, what is wrong with its answers, and which requirements that breaks. */
interface Defect {
  readonly where: Levels;
  readonly what: string;
  readonly change: (sketch: Sketch) => Sketch;
  readonly broken: readonly RequirementId[];
}

const FACTORS: readonly Factor[] = ['operation', 'group', 'kind', 'method', 'way', 'fault', 'state', 'key'];

/** The wrong statuses for each fault, with the requirements of which at least one must fail. */
const WRONG: Readonly<Record<string, readonly (readonly [number, readonly RequirementId[]])[]>> = {
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
};

function draw(random: Random): Defect | null {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const possible = possibleTrials(PROFILE, KEYS, PROFILE.operations, false);
  const levels = levelsOf(pick(possible.filter(({ fault }) => fault === pick([...Object.keys(WRONG), fault]))));
  const present = FACTORS.filter((factor) => levels[factor] !== undefined);
  const one = pick(present);
  const other = pick(present.filter((factor) => factor !== one));
  const where: Levels = { [one]: levels[one], [other]: levels[other] };
  const field = pick(['limit', 'remaining', 'reset'] as const);
  const withField = (values: readonly string[]) => (sketch: Sketch) => ({
    ...sketch,
    headers: { ...(sketch.headers ?? headers()), [field]: values },
  });
  const kind = pick(['lacks', 'malformed', 'outside', 'error', 'status', 'status', 'status']);
  if (kind === 'lacks') return { where, what: `no ${field}`, change: withField([]), broken: ['HDR-1'] };
  if (kind === 'malformed') return { where, what: `${field} in words`, change: withField(['many']), broken: ['HDR-2'] };
  if (kind === 'outside') {
    return { where, what: '418', change: (sketch) => ({ ...sketch, status: 418 }), broken: ['STATUS-SET'] };
  }
  if (kind === 'error') {
    const change = (sketch: Sketch) => ({ ...sketch, status: 500 });
    return where.fault === 'internal' ? null : { where, what: '500', change, broken: ['STATUS-NO5XX'] };
  }
  const fault = levels.fault ?? 'none';
  const wrong = WRONG[fault];
  if (!wrong) return null;
  const [status, broken] = pick(wrong);
  // What is due depends on the fault: it is one of the two factors.
  return {
    where: { fault, [other]: levels[other] },
    what: `${status} for ${DUE[fault as keyof typeof DUE]}`,
    change: (sketch) => ({ ...sketch, status }),
    broken,
  };
}

function failedOf(rows: readonly Row[]): readonly string[] {
  const trace = traceOf([], { header: { profile: PROFILE, keys: KEYS } });
  const sent: readonly Exchange[] = exchanges(...rows.map(({ sketch }) => sketch));
  const { verdicts } = judge({ ...trace, exchanges: sent }, limitsThat());
  return verdicts.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

test('a deployment that answers everything as it must fails nothing', () => {
  expect(failedOf(CONFORMING)).toEqual([]);
});

test('one class of requests, told by two factors, that is answered wrongly is found under what it breaks', () => {
  const random = seededRandom(Number(process.env.DEFECT_SEED ?? 1), 'random defects');
  const missed: string[] = [];
  for (let drawn = 0; drawn < DRAWS; ) {
    const defect = draw(random);
    if (defect === null) continue;
    drawn += 1;
    const { where, change, broken, what } = defect;
    const isMeant = ({ levels }: Row): boolean =>
      FACTORS.every((each) => !(each in where) || levels[each] === where[each]);
    const failed = failedOf(CONFORMING.map((row) => (isMeant(row) ? { ...row, sketch: change(row.sketch) } : row)));
    if (!broken.some((id) => failed.includes(id))) missed.push(`${JSON.stringify(where)}: ${what}, failed ${failed}`);
  }
  expect(missed.slice(0, Math.floor(missed.length - DRAWS / 100))).toEqual([]);
});
