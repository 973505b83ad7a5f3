import { LIMITS } from '../catalogue/limits.ts';
import { isAccepted } from '../drive/budget-state.ts';
import type { Probe, Profile } from '../profile/profile.ts';
import type { Exchange, Fault, Kind } from '../trace/exchange.ts';
import { whyLeftOut } from '../trace/left-out.ts';
import type { Trace } from '../trace/trace.ts';
import { askedFor } from './captured.ts';
import { type Finding, type KeyFinding, NOT_TRIED } from './diagnosis.ts';

/** What an examination has recorded: its trace, and the bodies of answers by their number, without keys. */
export interface Examined extends Trace {
  readonly bodies: ReadonlyMap<number, string>;
}

/** Which keys were accepted, the first one in each header. */
export function findKeys({ header, exchanges }: Trace): readonly KeyFinding[] {
  const { full, restricted, revoked } = header.keys;
  const expected = [...full, ...(restricted ? ['restricted'] : []), ...(revoked ? ['revoked'] : [])];
  return expected.flatMap((alias): readonly KeyFinding[] => {
    const own = exchanges.filter(({ step, key }) => step === 'key' && key === alias);
    if (own.length === 0) return [{ alias, subject: alias, standing: 'open', text: NOT_TRIED }];
    if (alias === 'restricted') {
      const told = own.find(({ status }) => status !== 403) ?? own[0];
      return told ? [{ alias, subject: alias, ...validKey(told) }] : [];
    }
    return own.map((each) => {
      const subject = own.length > 1 ? `${alias} (${each.credential})` : alias;
      return { alias, subject, ...(alias === 'revoked' ? revokedKey(each) : validKey(each)) };
    });
  });
}

function validKey(exchange: Exchange): Omit<Finding, 'subject'> {
  const { status, key } = exchange;
  if (isAccepted(exchange)) return { standing: 'good', text: `accepted (${status})` };
  if (status === 401) return { standing: 'bad', text: 'not accepted (401)' };
  if (key === 'restricted' && status === 403)
    return {
      standing: 'bad',
      text: 'must be allowed to do at least one operation, but may do none of those tried (403)',
    };
  return { standing: 'open', text: outcome(exchange) };
}

function revokedKey(exchange: Exchange): Omit<Finding, 'subject'> {
  if (exchange.status === 401) return { standing: 'good', text: 'no longer accepted (401)' };
  return {
    standing: isAccepted(exchange) ? 'bad' : 'open',
    text: `should no longer be accepted: ${outcome(exchange)}`,
  };
}

/** Whether each operation succeeded with a full key as often as it was sent, and counts as what the profile says. */
export function findOperations(profile: Profile, { exchanges, notes, bodies }: Examined): readonly Finding[] {
  return profile.operations.map((operation): Finding => {
    const { id, method, path, kind } = operation;
    const found = (standing: Finding['standing'], text: string): Finding => {
      return { subject: `${id} (${method} ${path})`, standing, text };
    };
    const own = exchanges.filter(
      (each) =>
        each.operation === id &&
        each.fault === 'none' &&
        each.key !== 'restricted' &&
        !(each.step === 'key' && each.status === 401),
    );
    const leftOut = whyLeftOut(notes, 'operation', id);
    if (leftOut !== null) return found('bad', `${NOT_TRIED}: ${leftOut}`);
    const [first] = own;
    if (!first) return found('open', NOT_TRIED);
    const wrong = own.find((each) => !isAccepted(each) && each.status !== null && each.status !== 429);
    const good = own.find(isAccepted);
    if (wrong) {
      const again = `${good?.status}, and then ${outcome(wrong)}: it must succeed each time it is sent`;
      const more = `${askedFor(profile, operation, wrong)}${saying(wrong, bodies)}`;
      return found('bad', `${good ? again : outcome(wrong)}.${more}`);
    }
    if (!good) return found('open', outcome(first));
    if (good.status !== 200) return found('bad', `${good.status}, but clause 7 requires 200: STATUS-200 would fail`);
    const counted = kindOf(good);
    if (counted !== null && counted !== kind) {
      const limit = `X-RateLimit-Limit is ${LIMITS[counted]}, the limit of a ${counted}`;
      return found('bad', `200, but ${limit}. If the deployment is right, the kind in the profile must be ${counted}`);
    }
    return found('good', '200');
  });
}

/** The kind as which the request counted, according to the answer; null if it shows none. */
function kindOf({ headers }: Exchange): Kind | null {
  const [limit, ...more] = headers.limit;
  const kinds = ['read', 'write'] as const;
  return more.length > 0 ? null : (kinds.find((kind) => limit?.trim() === String(LIMITS[kind])) ?? null);
}

const DUE: Readonly<Partial<Record<Fault, number>>> = { parameter: 400, missing: 404, permission: 403, internal: 500 };

/** Whether each probe provoked its status. */
export function findProbes(probes: readonly Probe[], { exchanges, notes, bodies }: Examined): readonly Finding[] {
  return probes.map(({ name, operation }): Finding => {
    const subject = `${name} (${operation})`;
    const sent = exchanges.find((each) => each.step === 'probe' && each.variation === name);
    const leftOut = whyLeftOut(notes, 'probe', operation);
    if (!sent) return { subject, standing: 'open', text: leftOut === null ? NOT_TRIED : `${NOT_TRIED}: ${leftOut}` };
    const due = DUE[sent.fault];
    if (sent.status === due) return { subject, standing: 'good', text: `${due}` };
    const text = `${outcome(sent)}, expected ${due}: ${whyElse(sent)}${saying(sent, bodies)}`;
    return { subject, standing: sent.status === 429 || sent.status === null ? 'open' : 'bad', text };
  });
}

/** Why a probe may have missed its status, the profile first. */
function whyElse(sent: Exchange): string {
  if (!isAccepted(sent)) return 'the request may have another fault, or the deployment may be wrong.';
  return sent.fault === 'permission'
    ? 'the restricted key may have this permission, or the deployment may be wrong.'
    : 'the request may be valid, or the deployment may be wrong.';
}

/** Whether the three headers are on the answers, by status. */
export function findHeaders({ exchanges }: Trace): readonly Finding[] {
  const statuses = [...new Set(exchanges.flatMap(({ status }) => status ?? []))].sort((a, b) => a - b);
  return statuses.map((status): Finding => {
    const own = exchanges.filter((each) => each.status === status);
    const lacking = (['limit', 'remaining', 'reset'] as const).filter((name) =>
      own.some(({ headers }) => headers[name].length === 0),
    );
    const names = lacking.map((name) => `X-RateLimit-${name[0]?.toUpperCase()}${name.slice(1)}`).join(', ');
    return lacking.length === 0
      ? { subject: `${status}`, standing: 'good', text: 'all three headers' }
      : { subject: `${status}`, standing: 'bad', text: `${names} missing: HDR-1 would fail` };
  });
}

/** Characters of an answer's body that are shown: enough for a sentence of the deployment's own. */
const SHOWN = 160;

/** The beginning of the body of an answer, if there is one, as the end of a sentence. */
function saying({ seq }: Exchange, bodies: ReadonlyMap<number, string>): string {
  const body = (bodies.get(seq) ?? '').replace(/\s+/g, ' ').trim();
  return body === '' ? '' : ` The answer says: ${body.length > SHOWN ? `${body.slice(0, SHOWN)}…` : body}`;
}

function outcome({ status, failure }: Exchange): string {
  if (status === 429) return '429: the limit is already spent; wait a minute and try again';
  return status === null ? `no answer (${failure})` : `${status}`;
}
