import type { Operation, Probe } from '../profile/profile.ts';
import type { Recognised } from '../random/seeded-schedule.ts';
import type { Fault } from '../trace/exchange.ts';
import type { Credential } from './credentials.ts';

/** What an experiment asks for: one request, with what the trace is to say of it. */
export interface RequestSpec {
  readonly experiment: string;
  readonly step: string;
  readonly operation: Operation;
  /** Sent in the operation's place, being a faulty form of it. */
  readonly probe?: Probe;
  readonly key: string | null;
  /** Absent: the key in the session's header of choice. */
  readonly credential?: Credential;
  readonly fault?: Fault;
  readonly variation?: string | null;
  readonly pair?: string | null;
  readonly extraHeaders?: readonly (readonly [string, string])[];
  /** Changes the rendered path and query. */
  readonly retarget?: (target: string) => string;
  /** The request is none of the profile's operations: an unknown path, another method. */
  readonly foreign?: boolean;
  readonly method?: string;
  /** Base to use in place of the profile's, for probes outside the prefix. */
  readonly origin?: string;
  /** Over a connection of its own. */
  readonly fresh?: boolean;
}

/** What the trace will say of a spec. @param way the header that plain requests carry their key in */
export function recognised(
  {
    operation,
    foreign,
    credential,
    fault = 'none',
    variation = null,
    method,
  }: Pick<RequestSpec, 'operation'> & Partial<RequestSpec>,
  way: string,
): Recognised {
  return {
    operation: foreign ? null : operation.id,
    credential: credential?.name ?? way,
    fault,
    variation,
    method: method ?? operation.method,
  };
}

/** What ties the faulty forms of an operation to the good one: any success of it with a full key is their positive control. */
export function pairOf(operation: Operation): string {
  return `op ${operation.id}`;
}
