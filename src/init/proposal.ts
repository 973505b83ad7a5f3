import type { Group, Kind } from '../trace/exchange.ts';

/** A profile to be written, as the file will have it, each part with what a person must check of it. */
export interface Proposal {
  readonly target: { readonly name: string | null; readonly version: string | null };
  readonly baseUrl: Checked<string>;
  readonly operations: readonly Checked<OperationFields>[];
  readonly probes: {
    readonly invalid_parameter: readonly Checked<ProbeFields>[];
    readonly not_found: readonly Checked<ProbeFields>[];
    readonly forbidden: readonly Checked<ProbeFields>[];
  };
  /** What concerns no single part, as whole sentences. */
  readonly checks: readonly string[];
}

/** A part of a proposal with sentences on what in it is a guess. */
export interface Checked<Value> {
  readonly value: Value;
  readonly checks: readonly string[];
}

/** An operation in the profile's own field names and order. */
export interface OperationFields {
  readonly id: string;
  readonly group: Group;
  readonly kind: Kind;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly prepare?: readonly string[];
  readonly cleanup?: readonly string[];
  readonly capture?: Readonly<Record<string, CaptureFields>>;
}

export type CaptureFields = string | { readonly header: string; readonly pattern: string };

export interface ProbeFields {
  readonly operation: string;
  readonly name?: string;
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** How many sentences there are for a person to look at. */
export function countChecks({ baseUrl, operations, probes, checks }: Proposal): number {
  const parts = [baseUrl, ...operations, ...probes.invalid_parameter, ...probes.not_found, ...probes.forbidden];
  return parts.reduce((sum, part) => sum + part.checks.length, checks.length);
}
