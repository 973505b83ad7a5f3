import type { Operation, Probe } from '../profile/profile.ts';
import type { Recognised } from '../random/seeded-schedule.ts';
import type { Fault, OddParts } from '../trace/exchange.ts';
import type { Credential } from './credentials.ts';

/** One request that an experiment asks for, and what the trace says about it. */
export interface RequestSpec {
  readonly experiment: string;
  readonly step: string;
  readonly operation: Operation;
  /** A faulty form of the operation, sent instead of it. */
  readonly probe?: Probe;
  readonly key: string | null;
  /** Absent: the key in the header that the session uses. */
  readonly credential?: Credential;
  readonly fault?: Fault;
  readonly variation?: string | null;
  readonly pair?: string | null;
  /** What the trace says of a probe that the profile does not name. */
  readonly odd?: OddParts;
  readonly extraHeaders?: readonly (readonly [string, string])[];
  /** Changes the path and query after the template was filled in. */
  readonly retarget?: (target: string) => string;
  /** The request belongs to no operation of the profile: an unknown path, another method. */
  readonly foreign?: boolean;
  readonly method?: string;
  /** Base URL instead of the profile's, for probes outside the prefix. */
  readonly origin?: string;
  /** Sends it over its own connection. */
  readonly fresh?: boolean;
}

/** What the trace says about a spec. @param way the header in which plain requests send their key */
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

/**
 * The pair of an operation and its faulty forms: any success of the operation with a full key is their positive
 * control.
 */
export function pairOf(operation: Operation): string {
  return `op ${operation.id}`;
}
