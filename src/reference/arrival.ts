import type { Due } from '../deployment/deployment.ts';
import type { Group, Kind } from '../trace/exchange.ts';

/** What a key may do: everything, only reads, or nothing any more. */
export type Role = 'full' | 'restricted' | 'revoked';

/** The owner of a key. `name` distinguishes the keys and is never sent. */
export interface Holder {
  readonly name: string;
  readonly role: Role;
}

/** Ways in which a text can be mistaken for a key. Each of them occurs in real code. */
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
  /** The text in the header, including any spaces around it. */
  readonly text: string;
  /** What is unusual about it: the key is in the other header as well, or `Bearer` is written in another case. */
  readonly form?: 'both-headers' | 'scheme-case';
  /**
   * The owner of the key that the text is, without the spaces around it, in any header and role; null: it is nobody's
   * key.
   */
  readonly holder: Holder | null;
  /**
   * The owner of the key that the text almost is: it differs only in its end or in its case. Conforming servers do not
   * use this.
   */
  readonly resembles: Holder | null;
  /** How the text resembles a key that it is not, for servers that compare keys too loosely; null: it does not. */
  readonly likeness: Likeness | null;
}

/** A request as the limiter and the other checks see it: everything that a real limiter may use to choose a budget. */
export interface Arrival {
  readonly presentation: Presentation;
  readonly kind: Kind;
  /** Null for a path that belongs to no group. */
  readonly group: Group | null;
  readonly method: string;
  /** Path and query as sent, below the base URL. */
  readonly target: string;
  /** Whether the body is sent as JSON but is not JSON. */
  readonly malformed: boolean;
  /** The operation that serves the request, such as `get-label`, however the path is written; null: none. */
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

/** The same request with another key. */
export function heldBy(arrival: Arrival, name: string): Arrival {
  const holder: Holder = { name, role: 'full' };
  return { ...arrival, presentation: { ...arrival.presentation, holder } };
}
