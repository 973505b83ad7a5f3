import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { operationOf, profileWith } from '../profile/profile.test-support.ts';
import type { Operation } from '../profile/profile.ts';
import type { Exchange, Kind } from '../trace/exchange.ts';
import { TRACE_FORMAT, type Trace } from '../trace/trace.ts';
import { OPERATIONS } from './schedules.test-support.ts';

const BASE_URL = 'http://127.0.0.1/api/v1';

/** A whole trace with simulated exchanges (`simulate.test-support.ts`), as the suite would have recorded it. */
export function traceOf(exchanges: readonly Exchange[], epoch: number, seed: number): Trace {
  const aliases = exchanges.flatMap(({ key }) => (key?.startsWith('key-') ? [key] : []));
  const ended = exchanges.reduce((latest, { sent, answered }) => Math.max(latest, answered ?? sent), 0);
  return {
    header: {
      type: 'header',
      format: TRACE_FORMAT,
      suite: { name: 'simulation', version: '0' },
      command: 'simulation',
      baseUrl: BASE_URL,
      profile: PROFILE,
      profileDigest: '',
      catalogueDigest: '',
      keys: {
        full: [...new Set(aliases)].sort(),
        restricted: exchanges.some(({ key }) => key === 'restricted'),
        revoked: exchanges.some(({ key }) => key === 'revoked'),
      },
      selection: REQUIREMENTS.map(({ id }) => id),
      experiments: [],
      epoch,
      scale: 1,
      seed,
      nonce: null,
      runtime: { node: '', platform: '' },
    },
    exchanges,
    unanswered: [],
    notes: [],
    footer: { type: 'footer', exchanges: exchanges.length, intents: 0, outcome: 'complete', ended, chain: '' },
  };
}

const PROFILE = profileWith({
  target: { name: 'simulation', version: null },
  baseUrl: BASE_URL,
  operations: [
    operation('get-service', 'read'),
    operation('update-service', 'write'),
    ...(['read', 'write'] as const).flatMap((kind) =>
      OPERATIONS[kind].flatMap(({ operation: id, ...part }) =>
        id ? [{ ...operation(id, kind), ...stated(part) }] : [],
      ),
    ),
  ],
});

function operation(id: string, kind: Kind): Operation {
  return operationOf({ id, kind, method: kind === 'read' ? 'GET' : 'PUT' });
}

function stated(part: (typeof OPERATIONS)[Kind][number]): Partial<Operation> {
  return {
    ...(part.group ? { group: part.group } : {}),
    ...(part.method ? { method: part.method } : {}),
    ...(part.target ? { path: part.target } : {}),
  };
}
