import { PREFLIGHT_REQUESTS } from '../../plan/roles.ts';
import { noCredential } from '../credentials.ts';
import type { Session } from '../session.ts';

/**
 * Whether there is anything to test: one request without a key, which any deployment can answer and which opens no budget, so
 * that the first requests on each key can be a burst. Gives the cause in one sentence where the target cannot be reached;
 * null where it answers, whatever it answers.
 */
export async function preflight(session: Session): Promise<string | null> {
  const [operation] = session.profile.operations.filter((each) => each.prepare.length === 0);
  if (!operation) return null;
  for (let tries = 1; ; tries += 1) {
    const { failure } = await session.shoot({
      experiment: 'preflight',
      step: 'reach',
      operation,
      key: null,
      credential: noCredential,
      fault: 'no-key',
    });
    if (failure === null) return null;
    if (tries === (failure === 'reset' ? PREFLIGHT_REQUESTS : 2)) return unreachable(failure, session.profile.baseUrl);
  }
}

function unreachable(failure: string, baseUrl: string): string {
  const causes: Record<string, string> = {
    refused: `nothing listens at ${baseUrl}: start the deployment, or correct base_url`,
    dns: `the host name of ${baseUrl} cannot be resolved: correct base_url, or check the name server`,
    tls: `no TLS connection to ${baseUrl} could be made: is the scheme right, and is its certificate known (http.tls.ca_file)?`,
    timeout: `${baseUrl} did not answer in time: is it reachable from here (firewall, proxy), or is http.timeout_ms too short?`,
    reset: `${baseUrl} closed the connection without an answer: is the scheme (http, https) right?`,
    protocol: `${baseUrl} does not speak HTTP: is the scheme (http, https) right?`,
  };
  return causes[failure] ?? `${baseUrl} could not be reached (${failure})`;
}
