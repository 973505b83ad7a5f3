import { type Finding, finding } from '../finding.ts';
import { nearest } from '../nearest.ts';
import type { Outline, Reference } from '../outline.ts';
import { variablesIn } from '../template.ts';

/** Ids of operations and names of probes are unique. */
export function checkIds({ operations, probes }: Outline): readonly Finding[] {
  return [
    ...repeated(operations.map(({ id, at }) => ({ name: id, at: [...at, 'id'] }))),
    ...repeated(probes.map(({ name, at }) => ({ name, at: [...at, 'name'] }))),
  ];
}

/** What `prepare`, `cleanup` and probes name is there. */
export function checkReferences({ operations, probes }: Outline): readonly Finding[] {
  // A profile that names no operation has this one mistake, which its probes need not repeat.
  if (operations.length === 0) return [];
  const known = new Set(operations.flatMap(({ id }) => id ?? []));
  const references = [
    ...operations.flatMap(({ prepare, cleanup }) => [...prepare, ...cleanup]),
    ...probes.flatMap(({ operation }) => operation ?? []),
  ];
  return references
    .filter(({ id }) => !known.has(id))
    .map(({ at, id }) =>
      finding(
        at,
        `is not the id of an operation (${JSON.stringify(id)})`,
        'Write the id of an operation of this profile.',
        {
          suggestion: nearest(id, known),
        },
      ),
    );
}

/** No operation prepares by itself, directly or through others. Each cycle is reported once, at its first operation. */
export function checkCycles({ operations }: Outline): readonly Finding[] {
  const byId = new Map(operations.map((each) => [each.id, each]));
  const findings: Finding[] = [];
  const done = new Set<string>();
  const visit = (reference: Reference, above: readonly string[]): void => {
    const start = above.indexOf(reference.id);
    if (start >= 0) {
      const cycle = [...above.slice(start), reference.id].join(' → ');
      findings.push(
        finding(
          reference.at,
          `leads back to an operation that it prepares (${cycle})`,
          'Remove one of these from a prepare.',
        ),
      );
      return;
    }
    if (done.has(reference.id)) return;
    for (const next of byId.get(reference.id)?.prepare ?? []) visit(next, [...above, reference.id]);
    done.add(reference.id);
  };
  for (const { id, at } of operations) if (id !== null) visit({ id, at }, []);
  return findings;
}

/** What deletes one thing by its name can succeed once, unless something makes that thing again. */
export function checkDeletions({ operations }: Outline): readonly Finding[] {
  return operations
    .filter(({ method, path, prepare }) => method === 'DELETE' && path !== null && prepare.length === 0)
    .filter(({ path, query }) => ![path, ...Object.values(query)].some((each) => variablesIn(String(each)).length > 0))
    .map(({ at, id }) => {
      const problem = `deletes the same thing each time${id === null ? '' : ` (${id})`}, so it can succeed only once`;
      const remedy = 'Add the operation that creates this thing to prepare.';
      return finding([...at, 'method'], problem, remedy, { severity: 'warning' });
    });
}

function repeated(
  named: readonly { readonly name: string | null; readonly at: Finding['path'] }[],
): readonly Finding[] {
  const seen = new Set<string>();
  return named.flatMap(({ name, at }) => {
    if (name === null) return [];
    if (seen.has(name)) return [finding(at, `occurs twice (${JSON.stringify(name)})`, 'Give each its own name.')];
    seen.add(name);
    return [];
  });
}
