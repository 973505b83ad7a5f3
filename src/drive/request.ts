import type { Profile } from '../profile/profile.ts';
import { byApiKey, byBearer, type Credential, noCredential } from './credentials.ts';
import type { OutgoingRequest } from './http/message.ts';
import type { RequestSpec } from './request-spec.ts';

/** What a spec presents: what it asks for, else its key in the header of choice, else nothing. */
export function credentialFor(
  { credential, key }: RequestSpec,
  way: 'x-api-key' | 'bearer',
  secret: (alias: string) => string,
): Credential {
  if (credential) return credential;
  if (key === null) return noCredential;
  return way === 'bearer' ? byBearer(secret(key)) : byApiKey(secret(key));
}

/** A spec as it goes on the wire: its template filled in, then what the spec changes of it. */
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
    // A body belongs to the operation's own method, not to the HEAD or OPTIONS that is sent in its place.
    body: method === undefined ? rendered.body : null,
    connection: fresh ? 'fresh' : 'pooled',
    keepBody: operation.cleanup.length > 0,
    ...(origin === undefined ? {} : { origin }),
  };
}
