/**
 * A request was not sent, because what it needs could not be created, or because it cannot be sent in this way. The run
 * goes on without it.
 */
export class NotSent extends Error {
  override name = 'NotSent';
}
