import { AUTHENTICATION_DEFECTS } from './defects/authentication.ts';
import { CONCURRENCY_DEFECTS } from './defects/concurrency.ts';
import type { Defect } from './defects/defect.ts';
import { HEADER_DEFECTS } from './defects/headers.ts';
import { LIMIT_DEFECTS } from './defects/limits.ts';
import { REMAINING_DEFECTS } from './defects/remaining.ts';
import { RESET_DEFECTS } from './defects/reset.ts';
import { SCOPE_DEFECTS } from './defects/scope.ts';
import { STATUS_DEFECTS } from './defects/status.ts';
import { WINDOW_DEFECTS } from './defects/window.ts';

/** Every seeded defect: the suite must find each of them under a requirement that it breaks. */
export const DEFECTS: readonly Defect[] = [
  ...AUTHENTICATION_DEFECTS,
  ...STATUS_DEFECTS,
  ...HEADER_DEFECTS,
  ...LIMIT_DEFECTS,
  ...REMAINING_DEFECTS,
  ...RESET_DEFECTS,
  ...WINDOW_DEFECTS,
  ...CONCURRENCY_DEFECTS,
  ...SCOPE_DEFECTS,
].map((defect) => ({ ...defect, may: [...new Set(defect.may)].filter((id) => !defect.must.includes(id)) }));
