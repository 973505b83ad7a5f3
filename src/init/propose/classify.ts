import type { Group, Kind } from '../../trace/exchange.ts';
import type { ApiOperation } from '../openapi/operations.ts';
import { words } from '../openapi/path.ts';
import { type Resolve, schemaOf, typeOf } from '../openapi/schema.ts';
import { kebab } from '../openapi/words.ts';
import type { Checked } from '../proposal.ts';

const THINGS: readonly (readonly [Group, RegExp])[] = [
  ['labels', /label/i],
  ['categories', /categor/i],
];
const SERVICE = /service|info|status|setting|config|chart|size/i;

/** The resource group: the last segment of the path that names one decides, then the tags; null if neither does. */
export function proposeGroup({ path, tags }: Pick<ApiOperation, 'path' | 'tags'>): Checked<Group | null> {
  const byPath = groupIn(words(path).toReversed());
  const byTag = groupIn(tags);
  // Tags for the service as a whole are common on all operations; a tag of another group is deliberate.
  if (byPath !== null && byTag !== null && byTag !== 'service' && byPath !== byTag) {
    return { value: byTag, checks: [`The path suggests the group ${byPath}, the tag ${byTag}: which is right?`] };
  }
  return { value: byPath ?? byTag, checks: [] };
}

const LOOKUPS = '(search|query|find|filter|look-?up|list|preview|validate|suggest|count|export)';
const READING = new RegExp(`(^|[/_\\-.\\s:])${LOOKUPS}`, 'i');
const TOLD = new RegExp(`^${LOOKUPS}`);

/**
 * Read or write (clause 8 leaves open which operations are which): GET, and operations whose name sounds like a lookup,
 * are reads; everything else is a write. A POST that may read for other reasons stays one, to be checked.
 */
export function proposeKind({ answer, ...from }: ApiOperation, resolve: Resolve): Checked<Kind> {
  const { method, path, operationId } = from;
  if (method === 'GET' || method === 'HEAD') return { value: 'read', checks: [] };
  if (method === 'QUERY') return { value: 'read', checks: ['QUERY is treated as a read: is that right?'] };
  if (method !== 'POST') return { value: 'write', checks: [] };
  if (READING.test(`/${words(path).at(-1) ?? ''}`) || READING.test(operationId ?? '')) {
    return { value: 'read', checks: ['A POST that seems to look something up: does it count as a read?'] };
  }
  const hints = [from.summary ?? '', ...words(path)].map(kebab);
  const answersList = typeOf(schemaOf(resolve, answer?.schema)) === 'array';
  const mayRead = answersList || hints.some((each) => TOLD.test(each)) || READING.test(kebab(operationId ?? ''));
  return { value: 'write', checks: mayRead ? ['If this POST only reads, write "kind: read".'] : [] };
}

const MONITORING =
  /^(health|health-?check|healthz|live|livez|liveness|ready|readyz|readiness|metrics|prometheus|ping|heartbeat|up|actuator|openapi|swagger|api-docs)(\.\w+)?$/i;
const KEEPING_KEYS =
  /^(api-?)?(keys?|tokens?)$|^(auth|oauth2?|log-?in|log-?out|sign-?(in|out|up)|register|sessions?|passwords?)$/i;

/** Why the suite should not send an operation, as the rest of a sentence; null if it should. */
export function whyNot({ path, method, key }: ApiOperation, group: Group | null): string | null {
  const named = words(path);
  if (key === 'none')
    return 'needs no key according to the document, though clause 5.1 requires one in every request (AUTH-1)';
  if (MONITORING.test(named.at(-1) ?? '') || named[0] === 'actuator') return 'monitors the service';
  if (named.some((word) => KEEPING_KEYS.test(word))) return 'manages keys or sessions';
  if (group === null && method !== 'GET') return 'writes, but neither its path nor a tag names a group';
  return null;
}

/** The group of the first word that names one. Words for the service as a whole fit everything, so they come last. */
function groupIn(telling: readonly string[]): Group | null {
  const named = telling.map((word) => THINGS.find(([, pattern]) => pattern.test(word))?.[0]).find((group) => group);
  return named ?? (telling.some((word) => SERVICE.test(word)) ? 'service' : null);
}
