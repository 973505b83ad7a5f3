import { fixed, observed } from '../requirement.ts';

/** Clause 9: versioning. */
export const VERSIONING_REQUIREMENTS = [
  fixed('VERSION-1', ['9.1'], {
    title: 'Served under /api/v1',
    statement: 'Every operation is served under a base URL that ends in `/api/v1`.',
  }),
  observed('VERSION-O1', ['9.1'], {
    title: 'Outside the prefix',
    statement: 'What the same operations answer outside the prefix.',
  }),
];
