import type { Due } from '../deployment/deployment.ts';
import type { Fault, Kind } from '../trace/exchange.ts';
import { type Arrival, type Holder, LIKENESSES, type Likeness, type Presentation } from './arrival.ts';
import type { SimulatedRequest } from './simulate.test-support.ts';

const DUE: Readonly<Partial<Record<Fault, Due>>> = { parameter: 400, permission: 403, missing: 404, internal: 500 };

/** The operation of a request that names none. */
export function plainOperation(kind: Kind): string {
  return kind === 'read' ? 'get-service' : 'update-service';
}

/** What the server receives from a request. */
export function arrivalOf(request: SimulatedRequest): Arrival {
  const { kind, variation = null, fault = 'none' } = request;
  const operation = request.operation === undefined ? plainOperation(kind) : request.operation;
  const method = request.method ?? (kind === 'read' ? 'GET' : 'PUT');
  const target = request.target ?? '/service';
  return {
    presentation: presentationOf(request),
    kind,
    group: request.group === undefined ? 'service' : request.group,
    method,
    target,
    malformed: variation === 'malformed-body',
    operation,
    connection: request.connection ?? 0,
    address: '127.0.0.1',
    forwardedFor:
      variation === 'forwarded-for'
        ? `203.0.113.${request.at % 251}`
        : variation === 'internal-address'
          ? '127.0.0.1'
          : null,
    forwarded: variation === 'forwarded' ? `for=203.0.113.${request.at % 251}` : null,
    realIp: variation === 'real-ip' ? `203.0.113.${request.at % 251}` : null,
    userAgent: variation === 'user-agent' ? `agent-${request.at}` : 'size-chart-conformance',
    due: DUE[fault] ?? (fault === 'unstated' && operation === null ? 404 : 200),
  };
}

const OTHER_SCHEME: ReadonlySet<Likeness> = new Set(['basic', 'other scheme', 'no scheme']);
const NO_PRESENTATION: Presentation = { way: 'none', text: '', holder: null, resembles: null, likeness: null };

function presentationOf({ key, credential, variation, fault }: SimulatedRequest): Presentation {
  const way = credential?.startsWith('bearer') ? 'bearer' : 'x-api-key';
  if (fault === 'bad-key' && variation === 'empty') return { ...NO_PRESENTATION, way };
  if (key === null || fault === 'no-key' || ['none', 'query', 'cookie'].includes(credential ?? '')) {
    return NO_PRESENTATION;
  }
  if (key === 'unknown') {
    const likeness = LIKENESSES.find((each) => each === variation) ?? null;
    const isOther = likeness !== null && OTHER_SCHEME.has(likeness);
    const resembles = variation === 'altered' ? holderOf('key-1') : null;
    return { way: isOther ? 'other' : way, text: 'unknown', holder: null, resembles, likeness };
  }
  const holder = holderOf(key);
  const text = variation === 'key-spaces' ? ` ${key}` : key;
  const form = variation === 'both-headers' || variation === 'scheme-case' ? ({ form: variation } as const) : {};
  return {
    way: variation === 'wrong-scheme' ? 'other' : way,
    text,
    ...form,
    holder,
    resembles: holder,
    likeness: null,
  };
}

function holderOf(name: string): Holder {
  return { name, role: name === 'restricted' || name === 'revoked' ? name : 'full' };
}
