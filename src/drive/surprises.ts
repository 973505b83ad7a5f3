import type { Exchange, Fault } from '../trace/exchange.ts';

/** The status that is due for a request with one fault (clause 7). A refusal is possible for any. */
const DUE: Readonly<Record<Exclude<Fault, 'unstated'>, number>> = {
  none: 200,
  'no-key': 401,
  'bad-key': 401,
  permission: 403,
  parameter: 400,
  missing: 404,
  internal: 500,
};

/** This much of a body is shown: a line or two. */
const SHOWN = 200;

/** Finds answers with another status than is due, and shows them with the first bytes of their bodies. */
export interface Surprises {
  onBody(seq: number, body: string): void;
  onExchange(exchange: Exchange): void;
}

/**
 * @param tell gets each surprise as one line. Bodies arrive without keys, just before their exchange
 */
export function followSurprises(tell: (text: string) => void): Surprises {
  const bodies = new Map<number, string>();
  return {
    onBody: (seq, body) => void bodies.set(seq, body),
    onExchange({ seq, method, target, key, credential, fault, status, failure }) {
      const body = (bodies.get(seq) ?? '').replace(/\s+/g, ' ').trim();
      bodies.delete(seq);
      // Requests that the run itself aborted say nothing about the target.
      if (failure === 'aborted') return;
      if (fault === 'unstated' || status === 429 || status === DUE[fault]) return;
      const by = key === null ? 'without a key' : `with ${key} (${credential})`;
      const said = body === '' ? '' : ` The answer says: ${body.length > SHOWN ? `${body.slice(0, SHOWN)}…` : body}`;
      tell(`#${seq} ${method} ${target} ${by}: ${status ?? failure}, expected ${DUE[fault]}.${said}`);
    },
  };
}
