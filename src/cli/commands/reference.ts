import { referenceCommand as runReference } from '../../reference/main.ts';
import type { Invocation } from '../arguments.ts';

/** Runs the reference server until it is ended. */
export async function referenceCommand({ options }: Invocation): Promise<number> {
  return runReference(options);
}
