import type { Group, Kind } from '../trace/exchange.ts';

/**
 * The target profile after validation: what `readProfile` makes of the vendor's YAML or JSON. Field names of the file
 * are snake_case and are documented by its JSON Schema; this is the normalised form that the rest of the suite sees.
 */
export interface Profile {
  readonly version: 1;
  /** What is tested, for the reports: name and version of the deployment. */
  readonly target: { readonly name: string; readonly version: string | null };
  /** Ends in `/api/v1` in a conforming deployment; no trailing slash. */
  readonly baseUrl: string;
  readonly operations: readonly Operation[];
  readonly probes: {
    /** 400 each. */
    readonly invalidParameter: readonly Probe[];
    /** 404 each. */
    readonly notFound: readonly Probe[];
    /** 403 each, with the restricted key. */
    readonly forbidden: readonly Probe[];
    /** 500 each. */
    readonly internalFailure: readonly Probe[];
  };
  readonly http: {
    /** Sent with each request. Values may be secret, so a trace has `…` instead. */
    readonly headers: Readonly<Record<string, string>>;
    readonly timeoutMs: { readonly connect: number; readonly response: number };
    readonly tls: {
      readonly caFile: string | null;
      readonly certFile: string | null;
      readonly keyFile: string | null;
      readonly insecure: boolean;
    };
    readonly proxy: string | null;
  };
  readonly pacing: {
    /** Ceiling on the run's requests per second outside of bursts; null: none. */
    readonly maxRate: number | null;
    readonly maxRequests: number | null;
  };
  readonly waivers: readonly Waiver[];
}

/** A request that can be repeated. `{{name}}` in path, query, headers and body is replaced each time it is sent. */
export interface RequestTemplate {
  readonly method: string;
  /** Below the base URL, starting with `/`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Text to send, with its content type; null: none. */
  readonly body: { readonly contentType: string; readonly text: string } | null;
}

export interface Operation extends RequestTemplate {
  readonly id: string;
  readonly group: Group;
  readonly kind: Kind;
  /** Operations to run first, in order; `{{name}}` stands for a value that they capture. */
  readonly prepare: readonly string[];
  /** Operations to run afterwards, such as the deletion of what was created. */
  readonly cleanup: readonly string[];
  readonly capture: readonly Capture[];
}

/** Takes a value from an answer: by JSON Pointer (RFC 6901) from the body, or from a header. */
export interface Capture {
  readonly name: string;
  readonly from: { readonly pointer: string } | { readonly header: string; readonly pattern: string | null };
}

/** How to provoke a status: an operation with some of its parts replaced. */
export interface Probe extends RequestTemplate {
  readonly name: string;
  /** The operation that it is a faulty form of. The unchanged operation is the probe's positive control. */
  readonly operation: string;
}

/** A known deviation that the vendor waives with a reason and an end date: reports show it, and it is not a pass. */
export interface Waiver {
  readonly requirement: string;
  /** Narrows it to a part of the requirement, such as a status of HDR-1; null: all of it. */
  readonly part: string | null;
  readonly reason: string;
  /** ISO date; the waiver holds up to and including this day (UTC). */
  readonly until: string;
}

/** Keys by role, from the environment only. The alias of the i-th full key is `key-i`, counted from 1. */
export interface Keys {
  readonly full: readonly string[];
  readonly restricted: string | null;
  readonly revoked: string | null;
}
