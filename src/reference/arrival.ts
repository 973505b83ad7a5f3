import type { Due } from '../deployment/deployment.ts';
import type { Group, Kind } from '../trace/exchange.ts';

/** What a key may do: everything, reads only, or nothing any more. */
export type Role = 'full' | 'restricted' | 'revoked';

/** Who a key belongs to. `name` tells keys apart and is never sent anywhere. */
export interface Holder {
  readonly name: string;
  readonly role: Role;
}

/** Ways to take a text for a key that it is not: each is one that real code has. */
export const LIKENESSES = [
  'case',
  'longer at the end',
  'longer at the beginning',
  'spaces inside',
  'percent-encoded',
  'accents',
  'list',
  'word before',
  'basic',
  'other scheme',
  'no scheme',
] as const;

export type Likeness = (typeof LIKENESSES)[number];

/** How a request presents a key. */
export interface Presentation {
  /** `other`: an `Authorization` header of another scheme. */
  readonly way: 'none' | 'x-api-key' | 'bearer' | 'other';
  /** The key's text as it stands in the header, with any spaces around it. */
  readonly text: string;
  /** Whose key the text is, spaces around it aside, whatever its way and role; null: nobody's. */
  readonly holder: Holder | null;
  /** Whose key it nearly is: the same but for the end, or for the case. No conforming server looks at this. */
  readonly resembles: Holder | null;
  /** In what it is like a key that it is not, for those who compare or read too loosely; null: in nothing. */
  readonly likeness: Likeness | null;
}

/** A request as the limiter and the rest of the gate see it: all that any real limiter is keyed by. */
export interface Arrival {
  readonly presentation: Presentation;
  readonly kind: Kind;
  /** Null for a path that belongs to no group. */
  readonly group: Group | null;
  readonly method: string;
  /** Path and query as sent, below the base URL. */
  readonly target: string;
  /** Whether it brings a body that is sent as JSON and is none. */
  readonly malformed: boolean;
  /** The operation that serves it, such as `get-label`: the same for every spelling of the path; null: none. */
  readonly operation: string | null;
  readonly connection: number;
  /** The client's address. */
  readonly address: string;
  /** `X-Forwarded-For`, `Forwarded`, `User-Agent` and `X-Real-IP` as sent; null: absent. */
  readonly forwardedFor: string | null;
  readonly forwarded: string | null;
  readonly userAgent: string | null;
  readonly realIp: string | null;
  readonly due: Due;
}
