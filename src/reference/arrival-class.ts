import { FORGED_HEADERS } from '../catalogue/forged-headers.ts';
import { type Attribute, classOf, type RequestClass } from '../deployment/attribute.ts';
import type { Arrival } from './arrival.ts';

/** The class of a request, as a server sees it. `changed` means: different from the suite's plain requests. */
export function classOfArrival(attribute: Attribute, arrival: Arrival): string {
  const { presentation, forwardedFor, forwarded, realIp, userAgent, operation, group, method, target, connection } =
    arrival;
  const [path = ''] = target.split('?', 1);
  const changed: Partial<Record<Attribute, boolean>> = {
    'forwarded-for': forwardedFor !== null,
    'internal-address': forwardedFor === FORGED_HEADERS['internal-address'][1],
    forwarded: forwarded !== null,
    'real-ip': realIp !== null,
    'user-agent': userAgent !== null && !userAgent.startsWith('size-chart-conformance'),
    'path-case': path !== path.toLowerCase(),
    'trailing-slash': path.endsWith('/'),
    'key-spaces': presentation.text !== presentation.text.trim(),
    'both-headers': presentation.form === 'both-headers',
    'scheme-case': presentation.form === 'scheme-case',
  };
  const variation = changed[attribute] ? attribute : null;
  return classOf(attribute, { operation, group, method, target, connection, credential: presentation.way, variation });
}

/** Whether a request is one of these, as a server sees it. */
export function isArrivalOf({ attribute, classes }: RequestClass, arrival: Arrival): boolean {
  return classes.includes(classOfArrival(attribute, arrival));
}
