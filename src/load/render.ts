import { renderRequest, type ValueSource } from '../profile/template.ts';
import { hashOf } from '../random/hash.ts';
import type { LoadSpec, LoadTemplate } from './load-spec.ts';

/** A request ready to be sent, except for its key. */
export interface RenderedLoad {
  readonly method: string;
  readonly url: string;
  /** Path and query below the base URL. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** It is the same for every request of its operation, and so is this object. */
  readonly fixed: boolean;
}

/**
 * A function that fills in a template. The values follow only from the run and the request's number, so a trace shows
 * what was sent although nobody recorded it.
 */
export function renderer(spec: LoadSpec): (template: LoadTemplate, id: number) => RenderedLoad {
  const fixed = new Map<string, RenderedLoad>();
  return (template, id) => {
    const known = fixed.get(template.operation);
    if (known) return known;
    const { method, target, headers, body } = renderRequest(template, {}, valuesOf(spec, id));
    const type = body ? { 'Content-Type': body.contentType } : {};
    const all = { ...type, ...Object.fromEntries(headers) };
    const same = !JSON.stringify(template).includes('{{');
    const url = spec.baseUrl + target;
    const rendered = { method, url, target, headers: all, body: body?.text ?? null, fixed: same };
    if (same) fixed.set(template.operation, rendered);
    return rendered;
  };
}

function valuesOf(spec: LoadSpec, id: number): ValueSource {
  return {
    uuid: () => uuidOf(spec.run, id),
    counter: () => id + 1,
    timestamp: () => (spec.start ?? 0) + id,
  };
}

/**
 * A UUID of version 8 (RFC 9562 §5.8) made of hashes of the run and of the number itself: different for each request of
 * a run.
 */
function uuidOf(run: string, id: number): string {
  const tail = id.toString(16).padStart(15, '0');
  const spread = hash(`${run}#${id}`);
  return `${hash(run)}-${spread.slice(0, 4)}-8${spread.slice(4, 7)}-8${tail.slice(0, 3)}-${tail.slice(3)}`;
}

function hash(text: string): string {
  return hashOf(text).toString(16).padStart(8, '0');
}
