import { PROBE_LISTS, type ProbeList } from '../profile/outline.ts';
import type { Group, Kind } from '../trace/exchange.ts';

/** A profile in the form of its file, each part with the checks for a person. */
export interface Proposal {
  readonly target: { readonly name: string | null; readonly version: string | null };
  readonly baseUrl: Checked<string>;
  readonly operations: readonly Checked<OperationFields>[];
  readonly probes: Readonly<Record<ProbeList, readonly Checked<ProbeFields>[]>>;
  /** Checks that concern no single part, as complete sentences. */
  readonly checks: readonly string[];
}

/** A part of a proposal, with sentences about its guesses. */
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
  readonly query?: Readonly<Record<string, string | null>>;
  readonly body?: unknown;
}

/** A check for several parts appears once, at the top, with their names. */
export function sayOnce(proposal: Proposal): Proposal {
  const places = new Map<string, string[]>();
  const note = (name: string, checks: readonly string[]): void => {
    for (const check of new Set(checks)) places.set(check, [...(places.get(check) ?? []), name]);
  };
  for (const { value, checks } of proposal.operations) note(value.id, checks);
  for (const { value, checks } of Object.values(proposal.probes).flat()) note(value.name ?? value.operation, checks);
  const often = [...places].filter(([, names]) => names.length > 1);
  const rest = <Value>({ value, checks }: Checked<Value>): Checked<Value> => {
    return { value, checks: checks.filter((check) => places.get(check)?.length === 1) };
  };
  return {
    ...proposal,
    operations: proposal.operations.map(rest),
    probes: mapProbes(proposal.probes, (list) => list.map(rest)),
    checks: [...proposal.checks, ...often.map(([check, names]) => `${check} (${names.join(', ')})`)],
  };
}

/** The same lists, each changed. */
export function mapProbes<Made>(
  probes: Proposal['probes'],
  change: (list: readonly Checked<ProbeFields>[], name: ProbeList) => Made,
): Readonly<Record<ProbeList, Made>> {
  const changed = PROBE_LISTS.map((name) => [name, change(probes[name], name)]);
  return Object.fromEntries(changed) as Record<ProbeList, Made>;
}
