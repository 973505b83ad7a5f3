import { BASE_URL_VARIABLE, KEY_VARIABLES } from '../profile/keys.ts';

/** The file that shows which variables the suite reads. Copied to `.env`, it takes the keys; `.env` is never to be committed. */
export function envExample(): string {
  return `# Copy this file to .env and fill it in. Never commit .env: it holds keys.

# API keys with all permissions, made in the administration panel under API Keys, separated by commas.
# One is enough; four make the shortest run, and two are the least that show whether budgets belong to keys.
${KEY_VARIABLES.full}=

# A valid key that may read, but lacks permission for what the profile names under probes.forbidden: for 403.
${KEY_VARIABLES.restricted}=

# A key that was accepted once and is no more. May be left empty.
${KEY_VARIABLES.revoked}=

# Comes before base_url of the profile. May be left out.
# ${BASE_URL_VARIABLE}=
`;
}

/** The variables of `envExample` that a file of the user's own does not name. */
export function missingVariables(existing: string): readonly string[] {
  return Object.values(KEY_VARIABLES).filter((name) => !existing.includes(name));
}
