/** What was to be sent was not: what it needs could not be made, or it cannot be sent in this way. The run goes on without it. */
export class NotSent extends Error {
  override name = 'NotSent';
}
