import { catalogueDigest, requirement } from '../../catalogue/catalogue.ts';
import type { Invocation } from '../arguments.ts';

/** Prints the requirements of the catalogue. */
export async function listCommand({ selection, options }: Invocation): Promise<number> {
  const requirements = selection.map(requirement);
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ digest: catalogueDigest(), requirements }, null, 2)}\n`);
    return 0;
  }
  for (const { id, level, clauses, statement } of requirements) {
    process.stdout.write(`${id.padEnd(14)} ${`${level} ${clauses.join(', ')}`.padEnd(18)} ${statement}\n`);
  }
  return 0;
}
