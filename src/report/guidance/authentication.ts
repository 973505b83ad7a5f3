import type { FallibleId, Guidance } from './guidance.ts';

type Id = Extract<FallibleId, `AUTH-${string}` | 'VERSION-1'>;

export const AUTHENTICATION_GUIDANCE: Readonly<Record<Id, Guidance>> = {
  'AUTH-1': {
    meaning:
      'An operation answered with success although the request carried no key. Anyone who can reach the deployment can use it, and what they use is counted on no budget.',
    causes: [
      'The check of the key is attached route by route, and a new route was added without it.',
      'The check is attached to some methods only, so that reads are open where writes are not, or the other way round.',
      'A gateway checks the key, and the deployment can be reached past the gateway.',
      'A cache in front answers for everybody what it once fetched for a caller with a key.',
      'A setting meant for development, which turns the check off, reached this deployment.',
    ],
    remedies: [
      'Attach the check once, in front of all routes under the base URL, and let routes opt out by name rather than in.',
      'Let caches vary on both headers that carry a key, or do not cache answers to authenticated requests.',
      'The proof names the operation. Send its request with and without a key to see the difference.',
    ],
  },
  'AUTH-2': {
    meaning:
      'A request with a valid key in `X-API-Key` was not accepted, while the same key was good elsewhere in the run. Clients that follow the first of the two documented ways cannot use the deployment.',
    causes: [
      'The deployment reads `Authorization` only, or a proxy in front drops headers that it does not know.',
      'One group of routes is served by another component with a check of its own.',
      'Keys are looked up in a store with replicas, and one of them has not got the key yet: some requests are accepted, others are not.',
      'The key in `SIZE_CHART_KEYS` lacks permission for the operation, so the profile names an operation that this key may not do.',
    ],
    remedies: [
      'Accept both headers in the one place where keys are checked.',
      'Let proxies pass `X-API-Key` on.',
      'Make sure that each full key can do every operation of the profile.',
    ],
  },
  'AUTH-3': {
    meaning:
      'A request with a valid key as `Authorization: Bearer` was not accepted, while the same key was good elsewhere in the run. Clients that follow the second of the two documented ways cannot use the deployment.',
    causes: [
      'Only `X-API-Key` is read.',
      'A gateway takes every `Authorization` header for a token of its own kind, such as a JWT, and rejects what it cannot decode.',
      'The whole header value, with the word `Bearer` in it, is looked up as the key.',
      'A web server in front strips `Authorization` before it reaches the application.',
    ],
    remedies: [
      'Accept both headers in the one place where keys are checked.',
      'Turn off the token check of the gateway for this API, or let it pass opaque keys.',
      'Configure the web server to hand `Authorization` on.',
    ],
  },
  'AUTH-4': {
    meaning:
      'A request without a key was answered with something else than 401. Clients cannot tell a missing key from another fault.',
    causes: [
      'A missing key is treated like a key without permission, and answered 403.',
      'Parameters are checked before the key, so that the answer is 400 or 404.',
      'A login page for people is in front, and answers with a redirect.',
      'The code that looks the key up fails on an absent one, and the failure shows as 500.',
    ],
    remedies: [
      'Check first whether there is a key, and answer 401 at once where there is none.',
      'Keep redirects to a login page away from paths under `/api/v1`.',
    ],
  },
  'AUTH-5': {
    meaning:
      'A key that should not be accepted was accepted, or was refused with another status than 401. The part that failed says which: an unknown key, one altered in one character, with more after it or cut short, an empty one, or one sent under another scheme. What a revoked key gets is recorded and not judged: the specification leaves revocation open.',
    causes: [
      'An unknown key is answered 403 or 404, because it is looked up like any other thing.',
      'Keys are compared by a prefix, or only their form is checked.',
      'The scheme word is not looked at, so that `Basic` with a key behind it passes.',
      'An empty header counts as a key that is there, and fails somewhere later with 400 or 500.',
    ],
    remedies: [
      'Compare whole keys, and answer 401 for whatever is not one.',
      'Accept `Authorization` only with the scheme `Bearer`.',
      'Take an empty header for no key at all.',
    ],
  },
  'AUTH-6': {
    meaning: 'A key that lacks permission for an operation could do it, or was refused with another status than 403.',
    causes: [
      'Permissions are stored with the key and never checked on this route.',
      'A lack of permission is answered 401, as if the key were unknown.',
      'It is answered 404, to hide that the thing exists. The specification states 403.',
      'Parameters are checked before permissions, and the request is answered 400.',
      'The key in `SIZE_CHART_RESTRICTED_KEY` may do what the probe asks for, so the probe is not about permission at all.',
    ],
    remedies: [
      'Check the permission after the key and before anything else.',
      'Make sure that the probes under `forbidden` are what the restricted key may not do.',
    ],
  },
  'AUTH-7': {
    meaning:
      'The same operation with the same key was answered one way with `X-API-Key` and another way with `Authorization: Bearer`.',
    causes: [
      'Two checks exist, one for each header, with permissions of their own.',
      'One header makes the caller another kind of user, such as a browser session that may not write.',
      'A cache varies on one of the headers and not on the other.',
    ],
    remedies: [
      'Turn either header into the same caller as early as possible, and let nothing later see which one it was.',
    ],
  },
  'VERSION-1': {
    meaning:
      'No operation was found under a base URL that ends in `/api/v1`, or what is asked for there is served elsewhere only.',
    causes: [
      'A gateway strips or adds a path prefix.',
      'Some resource groups are served by another component under another prefix.',
      'The profile names a base URL without the prefix.',
    ],
    remedies: [
      'Serve all operations under `/api/v1`. What is served outside of it besides is only observed.',
      'Let `base_url` in the profile end in `/api/v1`.',
    ],
  },
};
