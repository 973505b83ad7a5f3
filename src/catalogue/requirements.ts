import { AUTHENTICATION_REQUIREMENTS } from './requirements/authentication.ts';
import { HEADERS_REQUIREMENTS } from './requirements/headers.ts';
import { LIMITS_REQUIREMENTS } from './requirements/limits.ts';
import { STATUS_REQUIREMENTS } from './requirements/status.ts';
import { VERSIONING_REQUIREMENTS } from './requirements/versioning.ts';

/**
 * The requirement catalogue of the Size Chart Service API v1, in the order of the specification. Adding or changing an
 * entry changes its digest (`catalogueDigest`), and with it what a certificate stands for: see CONTRIBUTING.md.
 */
export const REQUIREMENTS = [
  ...AUTHENTICATION_REQUIREMENTS,
  ...STATUS_REQUIREMENTS,
  ...HEADERS_REQUIREMENTS,
  ...LIMITS_REQUIREMENTS,
  ...VERSIONING_REQUIREMENTS,
] as const;
