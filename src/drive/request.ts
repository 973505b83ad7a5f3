import type { Profile } from '../profile/profile.ts';
import { byApiKey, byBearer, type Credential, noCredential } from './credentials.ts';
import type { OutgoingRequest } from './http/message.ts';
import type { RequestSpec } from './request-spec.ts';

/** The credential of a spec: its own; otherwise its key in the header that the session uses; otherwise none. */
export function credentialFor(
  { credential, key }: RequestSpec,
  way: 'x-api-key' | 'bearer',
  secret: (alias: string) => string,
): Credential {
  if (credential) return credential;
  if (key === null) return noCredential;
  return way === 'bearer' ? byBearer(secret(key)) : byApiKey(secret(key));
}

/** The request of a spec: its template filled in, then changed as the spec says. */
export function requestOf(
  spec: RequestSpec,
  rendered: Pick<OutgoingRequest, 'target' | 'headers' | 'body'>,
  credential: Credential,
  profile: Profile,
): OutgoingRequest {
  const { probe, operation, method, retarget, extraHeaders = [], fresh, origin } = spec;
  const path = retarget ? retarget(rendered.target) : rendered.target;
  const [name, value] = credential.query ?? [];
  const query = value === undefined ? '' : `${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
  return {
    method: method ?? (probe ?? operation).method,
    target: path + query,
    headers: [...Object.entries(profile.http.headers), ...rendered.headers, ...credential.headers, ...extraHeaders],
    // A body belongs to the method of the operation, not to a HEAD or OPTIONS sent instead.
    body: method === undefined ? rendered.body : null,
    connection: fresh ? 'fresh' : 'pooled',
    keepBody: operation.cleanup.length > 0,
    ...(origin === undefined ? {} : { origin }),
  };
}
