import type { LoadSpec, LoadTemplate } from './load-spec.ts';

/** A request as it leaves, its placeholders filled in. */
export interface RenderedRequest {
  readonly target: string;
  readonly body: string | null;
}

/**
 * Fills in `{{uuid}}`, `{{counter}}` and `{{timestamp}}`. The values follow from the run and the request's number alone,
 * so that the trace can tell what was sent without recording it.
 */
export function render(spec: LoadSpec, template: LoadTemplate, id: number): RenderedRequest {
  return {
    target: template.target.includes('{{') ? fill(template.target, spec.run, id) : template.target,
    body: template.body === null ? null : fill(template.body.text, spec.run, id),
  };
}

function fill(text: string, run: string, id: number): string {
  return text.replace(/\{\{\s*(uuid|counter|timestamp)\s*\}\}/g, (_, name: string) =>
    name === 'uuid' ? uuidOf(run, id) : String(id),
  );
}

/** A UUID of version 8 (RFC 9562 §5.8) made of two FNV-1a hashes of the run and the number itself: distinct for each request of a run. */
function uuidOf(run: string, id: number): string {
  const hash = (text: string): string => {
    let h = 0x811c9dc5;
    for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    return (h >>> 0).toString(16).padStart(8, '0');
  };
  const tail = id.toString(16).padStart(14, '0');
  const spread = hash(`${run}#${id}`);
  return `${hash(run)}-${spread.slice(0, 4)}-8${spread.slice(4, 7)}-8${tail.slice(0, 3)}-${tail.slice(2)}`;
}
