import type { RequirementId } from '../catalogue/requirement.ts';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { operationOf, profileWith } from '../profile/profile.test-support.ts';
import type { Operation, Profile, Waiver } from '../profile/profile.ts';
import type { CapturedHeaders, Exchange } from '../trace/exchange.ts';
import type { NoteLine, Trace, TraceHeader } from '../trace/trace.ts';
import type { LimitsJudgement } from './judgement.ts';
import type { Opinion, VerdictName } from './verdict.ts';

/** 2026-11-21T00:00:00Z in µs. */
export const EPOCH = Date.UTC(2026, 10, 21) * 1000;
const MARKER = String(EPOCH / 1e6 + 60);

export function operation(id: string, group: Operation['group'], kind: Operation['kind']): Operation {
  return operationOf({ id, group, kind, method: kind === 'read' ? 'GET' : 'PUT', path: `/${id}` });
}

export const OPERATIONS: readonly Operation[] = [
  operation('get-service', 'service', 'read'),
  operation('list-categories', 'categories', 'read'),
  operation('put-label', 'labels', 'write'),
];

export const PROFILE: Profile = profileWith({ operations: OPERATIONS });

/** Header fields as a conforming deployment sends them, on a read unless told otherwise. */
export function headers(over: Partial<CapturedHeaders> = {}): CapturedHeaders {
  return { limit: ['100'], remaining: ['99'], reset: [MARKER], date: [], retryAfter: [], other: {}, ...over };
}

/** What a test says of an exchange: the rest is a good read of the service, a millisecond after the one before. */
export type Sketch = Partial<Exchange>;

/** Exchanges in order, 1 ms apart, numbered from 1. Group, kind and method follow from the operation. */
export function exchanges(...sketches: readonly Sketch[]): Exchange[] {
  return sketches.map((sketch, index) => {
    const name = sketch.operation === undefined ? 'get-service' : sketch.operation;
    const known = OPERATIONS.find((each) => each.id === name);
    const kind = sketch.kind ?? known?.kind ?? 'read';
    const sent = sketch.sent ?? index * 1000;
    return {
      seq: index + 1,
      experiment: 'authentication',
      step: 'probe',
      pair: known ? `op ${known.id}` : null,
      operation: name,
      group: known?.group ?? null,
      kind,
      fault: 'none',
      key: 'key-1',
      credential: 'x-api-key',
      variation: null,
      method: known?.method ?? 'GET',
      target: known?.path ?? '/no-such-path',
      connection: 1,
      sent,
      answered: sketch.failure ? null : sent + 500,
      status: sketch.failure ? null : 200,
      failure: null,
      headers: headers({ limit: [kind === 'read' ? '100' : '30'] }),
      ...sketch,
    };
  });
}

/** A good request to each of the three operations, in either header. */
export const CONTROLS: readonly Sketch[] = OPERATIONS.flatMap(({ id }) => [
  { operation: id },
  { operation: id, credential: 'bearer' },
]);

export function each(over: Sketch): Sketch[] {
  return OPERATIONS.map(({ id }) => ({ operation: id, ...over }));
}

export const KEYLESS = { fault: 'no-key', key: null, credential: 'none' } as const;

export const BAD_KEYS: readonly Sketch[] = ['unknown', 'altered', 'empty', 'wrong-scheme'].map((variation) => ({
  fault: 'bad-key',
  key: 'unknown',
  variation,
  status: 401,
}));

/**
 * Every answer that a conforming deployment gives in a short run: a witness of all that is judged in this folder, but
 * for a 500.
 */
export const CONFORMING: readonly Sketch[] = [
  ...CONTROLS,
  ...each({ ...KEYLESS, status: 401 }),
  ...BAD_KEYS,
  { operation: 'get-service', key: 'restricted' },
  { operation: 'put-label', fault: 'permission', key: 'restricted', status: 403 },
  { operation: 'list-categories', fault: 'parameter', status: 400 },
  { operation: 'list-categories', fault: 'missing', status: 404 },
  { operation: 'get-service', status: 429, headers: headers({ remaining: ['0'] }) },
];

/** What a deployment answers that leaves out X-RateLimit-Limit where a thing is missing. */
export const BROKEN: readonly Sketch[] = [
  ...CONFORMING,
  { status: 404, fault: 'missing', headers: headers({ limit: [] }) },
];

/** A note in a trace. */
export function note(code: NoteLine['code'], experiment: string | null = null, text = ''): NoteLine {
  return { type: 'note', time: 0, code, experiment, text };
}

/** An experiment as the header of a trace has it. */
export function planned(id: string, requirements: readonly RequirementId[], omitted: string | null = null) {
  return { id, requirements, keys: [], requests: 1, start: 0, seconds: 1, omitted };
}

export interface TraceOptions {
  readonly header?: Partial<TraceHeader>;
  readonly waivers?: readonly Waiver[];
  readonly notes?: readonly NoteLine[];
  readonly outcome?: 'complete' | 'interrupted' | 'cut short';
}

export function traceOf(sketches: readonly Sketch[], options: TraceOptions = {}): Trace {
  const all = exchanges(...sketches);
  const { header = {}, waivers = [], notes = [], outcome = 'complete' } = options;
  return {
    header: {
      type: 'header',
      format: '1.0',
      suite: { name: 'size-chart-conformance', version: '0.0.0' },
      command: 'certify',
      baseUrl: PROFILE.baseUrl,
      profile: { ...PROFILE, waivers },
      profileDigest: '',
      catalogueDigest: '',
      keys: { full: ['key-1'], restricted: true, revoked: false },
      selection: REQUIREMENTS.map(({ id }) => id),
      experiments: [],
      epoch: EPOCH,
      scale: 1,
      seed: 1,
      nonce: null,
      runtime: { node: '', platform: '' },
      ...header,
    },
    exchanges: all,
    unanswered: [],
    notes,
    footer:
      outcome === 'cut short'
        ? null
        : { type: 'footer', exchanges: all.length, intents: 0, outcome, ended: 0, chain: '' },
  };
}

const LIMITS_IDS = REQUIREMENTS.filter(({ id, level }) => level !== 'observed' && /^(LIMIT-|HDR-[4578])/.test(id));

/** A judge of limits that passes everything, save for what a test says. */
export function limitsThat(
  over: Readonly<Record<string, VerdictName>> = {},
  extra: Partial<Opinion> = {},
): () => LimitsJudgement {
  return () => ({
    opinions: LIMITS_IDS.map(({ id }) => ({
      id,
      verdict: over[id] ?? 'pass',
      summary: '',
      witnesses: 1000,
      ...(over[id] ? extra : {}),
    })),
    observations: [],
    budgets: [],
    failure: 'by answers',
  });
}
