import { BASE_URL_VARIABLE, KEY_VARIABLES } from '../profile/keys.ts';

/**
 * The file that shows which variables the suite reads. The user copies it to `.env` and adds the keys; `.env` must
 * never be committed.
 */
export function envExample(): string {
  return `# Copy this file to .env and fill it in. Never commit .env: it holds keys.

# API keys with all permissions, separated by commas. Create them in the administration panel under API Keys.
# One is enough. Two show whether each key has its own budget. With four, a run finds the most.
${KEY_VARIABLES.full}=

# A valid key that may do at least one operation, but lacks permission for the requests under probes.forbidden in the profile (for 403).
${KEY_VARIABLES.restricted}=

# A key that is no longer accepted. May be left empty.
${KEY_VARIABLES.revoked}=

# Overrides base_url of the profile. May be left out.
# ${BASE_URL_VARIABLE}=
`;
}

/** The variables of `envExample` that an existing `.env` does not set. */
export function unsetVariables(env: string): readonly string[] {
  return Object.values(KEY_VARIABLES).filter((name) => !new RegExp(`^\\s*(export\\s+)?${name}\\s*=`, 'm').test(env));
}

/** The variables of `envExample` that the user's own file lacks. */
export function missingVariables(existing: string): readonly string[] {
  return Object.values(KEY_VARIABLES).filter((name) => !existing.includes(name));
}
