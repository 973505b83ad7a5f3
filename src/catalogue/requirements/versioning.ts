import type { Requirement } from '../requirement.ts';

/** Clause 9: versioning. */
export const VERSIONING_REQUIREMENTS = [
  {
    id: 'VERSION-1',
    level: 'fixed',
    clauses: ['9.1'],
    title: 'Served under /api/v1',
    statement: 'Every operation is served under a base URL that ends in `/api/v1`.',
    dependsOn: [],
    witnesses: 1,
    optional: false,
  },
  {
    id: 'VERSION-O1',
    level: 'observed',
    clauses: ['9.1'],
    title: 'Outside the prefix',
    statement: 'What the same operations answer outside the prefix.',
    dependsOn: [],
    witnesses: 1,
    optional: true,
  },
] as const satisfies readonly Requirement[];
