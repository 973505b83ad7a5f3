import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Profile, RequestTemplate } from './profile.ts';

/** The replacement of a value that may be secret. */
const HIDDEN = '…';

/**
 * SHA-256 (hex) over the public form of a profile as canonical JSON (fields sorted by name): anyone who has a trace can
 * compute it again from the trace's profile, and it reveals nothing about the hidden values.
 */
export function profileDigest(profile: Profile): string {
  return createHash('sha256')
    .update(canonicalJson(publicProfile(profile)))
    .digest('hex');
}

/**
 * A profile that may be published: header values and the proxy's credentials are replaced by `…`, and files by their
 * base names. Applying it twice changes nothing more.
 */
export function publicProfile(profile: Profile): Profile {
  const { http } = profile;
  return {
    ...profile,
    operations: profile.operations.map(hideHeaders),
    probes: {
      invalidParameter: profile.probes.invalidParameter.map(hideHeaders),
      notFound: profile.probes.notFound.map(hideHeaders),
      forbidden: profile.probes.forbidden.map(hideHeaders),
      internalFailure: profile.probes.internalFailure.map(hideHeaders),
    },
    http: {
      ...hideHeaders(http),
      tls: {
        ...http.tls,
        caFile: http.tls.caFile && basename(http.tls.caFile),
        certFile: http.tls.certFile && basename(http.tls.certFile),
        keyFile: http.tls.keyFile && basename(http.tls.keyFile),
      },
      proxy: http.proxy && publicUrl(http.proxy),
    },
  };
}

/** A URL whose credentials are replaced by `…`. */
export function publicUrl(url: string): string {
  return url.replace(/^([a-z]+:\/\/)[^/]*@/i, `$1${HIDDEN}@`);
}

/** JSON with the fields of each object sorted by name (UTF-16 code units, as in RFC 8785). */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}

function hideHeaders<Part extends Pick<RequestTemplate, 'headers'>>(part: Part): Part {
  return { ...part, headers: Object.fromEntries(Object.keys(part.headers).map((name) => [name, HIDDEN])) };
}
