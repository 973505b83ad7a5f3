import { init, type Written } from '../../init/init.ts';
import { countMarks, MARK } from '../../init/profile-text.ts';
import { atTerminal } from '../../init/questions.ts';
import { formatProfileError } from '../../profile/read-profile.ts';
import { type Invocation, PROGRAM } from '../arguments.ts';
import { warn } from './run.ts';

/** Writes a commented profile and `.env.example`; on a terminal, it asks for whatever was not given. */
export async function initCommand({ options }: Invocation): Promise<number> {
  const { profile, openapi, baseUrl, json, quiet } = options;
  const known = { openapi, baseUrl, name: null };
  // Without a terminal, nobody can answer.
  const interactive = process.stdin.isTTY && process.stderr.isTTY && !json && !quiet;
  const written = interactive
    ? await atTerminal((dialogue) => init(profile, known, dialogue))
    : await init(profile, known);
  for (const warning of written.warnings) warn(formatProfileError(warning));
  if (json) process.stdout.write(`${JSON.stringify(summary(written), null, 2)}\n`);
  else if (!quiet) process.stdout.write(told(written));
  return 0;
}

function summary({ profile, envExample, envExampleLacks, proposal }: Written) {
  const { baseUrl, operations, probes } = proposal;
  return {
    profile,
    envExample,
    envExampleWritten: envExampleLacks === null,
    baseUrl: baseUrl.value,
    operations: operations.map(({ value, checks }) => ({ id: value.id, group: value.group, kind: value.kind, checks })),
    probes: Object.fromEntries(Object.entries(probes).map(([name, list]) => [name, list.length])),
    checks: [...baseUrl.checks, ...proposal.checks],
  };
}

function told(written: Written): string {
  const { profile, envExample, envExampleLacks, proposal, text } = written;
  const { operations, probes } = proposal;
  const checks = countMarks(text);
  const env =
    envExampleLacks === null
      ? `Wrote ${envExample}, which lists the keys to provide.`
      : `${envExample} already exists and was not changed${envExampleLacks.length > 0 ? `; it does not name ${envExampleLacks.join(', ')}` : ''}.`;
  const steps = [
    ...(checks > 0 ? [`Check the ${checks} line${checks === 1 ? '' : 's'} of ${profile} marked "# ${MARK}".`] : []),
    ...stepsForKeys(written),
    `Run npx ${PROGRAM} doctor${profile === 'size-chart.profile.yaml' ? '' : ` --profile ${profile}`}. It sends a few requests and shows what is still missing.`,
  ];
  return [
    `Wrote ${profile}. Operations: ${operations.length}. Probes for 400: ${probes.invalid_parameter.length}, for 404: ${probes.not_found.length}, for 403: ${probes.forbidden.length}.`,
    env,
    '',
    'Next:',
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
    '',
  ].join('\n');
}

/** A copy would overwrite the keys of an existing `.env`. */
function stepsForKeys({ envLacks }: Written): readonly string[] {
  if (envLacks === null) return ['Copy .env.example to .env, and write the API keys into it.'];
  return envLacks.length === 0 ? [] : [`Add ${envLacks.join(', ')} to .env: .env.example says what they are for.`];
}
