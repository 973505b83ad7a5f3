import { PREFLIGHT_REQUESTS } from '../../plan/roles.ts';
import { publicUrl } from '../../profile/digest.ts';
import type { Operation, Profile } from '../../profile/profile.ts';
import { type Exchange, isFullKey } from '../../trace/exchange.ts';
import { noCredential } from '../credentials.ts';
import { detailOf } from '../lost-answers.ts';
import type { Session } from '../session.ts';

/**
 * Checks that the target can be reached, with one request without a key. Any deployment can answer it, and it opens no
 * budget, so the first requests of each key can still be a burst. Returns the cause in one sentence if the target
 * cannot be reached; null if it answers at all.
 */
export async function preflight(session: Session): Promise<string | null> {
  const [operation] = session.profile.operations.filter((each) => each.prepare.length === 0);
  if (!operation) return null;
  for (let tries = 1; ; tries += 1) {
    const exchange = await session.sendOne({
      experiment: 'preflight',
      step: 'reach',
      operation,
      key: null,
      credential: noCredential,
      fault: 'no-key',
    });
    const { failure } = exchange;
    if (failure === null) return null;
    if (tries === (failure === 'reset' ? PREFLIGHT_REQUESTS : 2))
      return unreachable(failure, detailOf(exchange), session.profile);
  }
}

function unreachable(failure: string, detail: string | null, { baseUrl, http }: Profile): string {
  // If it fails before anything is sent, the cause is the proxy.
  if (http.proxy !== null && ['refused', 'dns', 'timeout'].includes(failure)) {
    return `${baseUrl} could not be reached by the proxy ${publicUrl(http.proxy)} (${failure}): start or correct the proxy (http.proxy, or HTTP_PROXY and HTTPS_PROXY), or check in its log why it cannot reach the target`;
  }
  const causes: Record<string, string> = {
    refused: `nothing listens at ${baseUrl}: start the deployment, or correct base_url`,
    dns: `the host name of ${baseUrl} cannot be resolved: correct base_url, or check the name server`,
    tls: `no TLS connection to ${baseUrl} could be made: correct the scheme, or set http.tls.ca_file to the certificate authority of the deployment`,
    timeout: `${baseUrl} did not answer in time: check that it can be reached from here (firewall, proxy), or raise http.timeout_ms`,
    reset: `${baseUrl} closed the connection without an answer: correct the scheme (http, https), or check the log of the deployment`,
    protocol: `${baseUrl} sent something that cannot be read: ${detail ?? 'correct the scheme (http, https) or the port, or the headers of the deployment'}`,
    'too-large': `${baseUrl} sent more than is read: ${detail ?? 'the answer is too large'}. Correct this in the deployment, or in the gateway in front of it`,
  };
  return (
    causes[failure] ??
    `${baseUrl} could not be reached: ${detail ?? failure}. Check base_url, and look for the request in the log of the deployment`
  );
}

/**
 * No operation of a group or kind succeeds, so the run ends right after its start. The message says what the target
 * answered.
 */
export class NothingSucceeds extends Error {
  override name = 'NothingSucceeds';
}

/**
 * Follows the answers to plain operations with a full key. Returns a cause to end the run once every operation of a
 * group or kind was refused (4xx) and none succeeded, so a wrong profile shows within seconds. Rejected keys, spent
 * budgets and internal failures do not end the run here. If a preparation is refused, the operation counts as refused.
 */
export function nothingSucceeds({ operations }: Pick<Profile, 'operations'>): (exchange: Exchange) => string | null {
  const refused = new Map<string, Exchange>();
  const succeeded = new Set<string>();
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const parts = (['group', 'kind'] as const).flatMap((field) =>
    [...new Set(operations.map((each) => each[field]))].map((name) => ({
      name: field === 'group' ? `operation of the group ${name}` : `${name} operation`,
      own: operations.filter((each) => each[field] === name),
    })),
  );

  function refusalOf({ id, prepare }: Operation): Exchange | null {
    const steps = prepare.flatMap((step) => byId.get(step) ?? []);
    return refused.get(id) ?? steps.map(refusalOf).find((each) => each !== null) ?? null;
  }

  return ({ operation, fault, key, status, ...rest }) => {
    if (operation === null || fault !== 'none' || !isFullKey(key) || status === null) return null;
    if (status < 300) succeeded.add(operation);
    if (succeeded.has(operation) || status < 400 || status >= 500 || status === 401 || status === 429) return null;
    refused.set(operation, { ...rest, operation, fault, key, status });
    const part = parts.find(
      ({ own }) => own.every((each) => refusalOf(each) !== null) && !own.some(({ id }) => succeeded.has(id)),
    );
    if (!part) return null;
    const came = [...new Set(part.own.flatMap((each) => refusalOf(each) ?? []))].map(
      (each) => `${each.operation} (${each.method} ${each.target}) was answered ${each.status}`,
    );
    const shown = came.length > 5 ? [...came.slice(0, 5), `and ${came.length - 5} more in the same way`] : came;
    return `no ${part.name} succeeds with a full key: ${shown.join('; ')}. Correct the profile, or base_url; doctor shows each answer`;
  };
}
