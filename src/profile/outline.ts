import type { Finding, Path } from './finding.ts';

/**
 * The parts of a profile that the rules on contradictions need, taken from everything that has the right type. So these
 * rules can be checked, and reported with all other errors, even if the profile's shape is wrong elsewhere.
 */
export interface Outline {
  readonly operations: readonly OperationOutline[];
  readonly probes: readonly ProbeOutline[];
  readonly root: Readonly<Record<string, unknown>>;
}

export interface RequestOutline {
  /** Its place in the file. */
  readonly at: Path;
  readonly method: string | null;
  readonly path: string | null;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export interface OperationOutline extends RequestOutline {
  readonly id: string | null;
  readonly group: string | null;
  readonly kind: string | null;
  readonly prepare: readonly Reference[];
  readonly cleanup: readonly Reference[];
  /** Captures by name. */
  readonly capture: Readonly<Record<string, unknown>>;
}

interface ProbeOutline extends RequestOutline {
  readonly list: string;
  readonly name: string | null;
  readonly operation: Reference | null;
}

/** The id of an operation, and the place that refers to it. */
export interface Reference {
  readonly at: Path;
  readonly id: string;
}

export type Rule = (outline: Outline) => readonly Finding[];

export const PROBE_LISTS = ['invalid_parameter', 'not_found', 'forbidden', 'internal_failure'] as const;

export type ProbeList = (typeof PROBE_LISTS)[number];

export function outlineOf(value: unknown): Outline {
  const root = record(value);
  const probes = record(root.probes);
  return {
    operations: list(root.operations).map((each, index) => operationOutline(record(each), ['operations', index])),
    probes: PROBE_LISTS.flatMap((name) =>
      list(probes[name]).map((each, index) => probeOutline(record(each), name, ['probes', name, index])),
    ),
    root,
  };
}

/** The operations that run before the one with this id, in order: those in its prepare, each after its own. */
export function preparations(outline: Outline, operation: OperationOutline): readonly OperationOutline[] {
  const found: OperationOutline[] = [];
  const visited = new Set<string>();
  const visit = (references: readonly Reference[]): void => {
    for (const { id } of references) {
      const next = outline.operations.find((each) => each.id === id);
      if (!next || visited.has(id)) continue;
      visited.add(id);
      visit(next.prepare);
      found.push(next);
    }
  };
  visit(operation.prepare);
  return found;
}

export function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function operationOutline(fields: Readonly<Record<string, unknown>>, at: Path): OperationOutline {
  return {
    ...requestOutline(fields, at),
    id: text(fields.id),
    group: text(fields.group),
    kind: text(fields.kind),
    prepare: references(fields.prepare, [...at, 'prepare']),
    cleanup: references(fields.cleanup, [...at, 'cleanup']),
    capture: record(fields.capture),
  };
}

function probeOutline(fields: Readonly<Record<string, unknown>>, name: string, at: Path): ProbeOutline {
  const id = text(fields.operation);
  return {
    ...requestOutline(fields, at),
    list: name,
    name: text(fields.name),
    operation: id === null ? null : { at: [...at, 'operation'], id },
  };
}

function requestOutline(fields: Readonly<Record<string, unknown>>, at: Path): RequestOutline {
  return {
    at,
    method: text(fields.method),
    path: text(fields.path),
    query: record(fields.query),
    headers: record(fields.headers),
    body: fields.body,
  };
}

function references(value: unknown, at: Path): readonly Reference[] {
  return list(value).flatMap((each, index) => (typeof each === 'string' ? [{ at: [...at, index], id: each }] : []));
}
