// What a script is told: by the command's specification file, or, by hand, by a few variables. Keys come from the
// environment or from a file named there, and from nowhere else.
import { SharedArray } from 'k6/data';
import { type LoadHeaders, withHeaders } from '../src/load/load-headers.ts';
import { LOAD_FORMAT, type LoadSpec, type LoadTemplate, type ScenarioName } from '../src/load/load-spec.ts';
import { SCENARIOS } from '../src/load/scenario.ts';

export interface ScriptEnvironment {
  /** With the values of headers, which may be secret. */
  readonly spec: LoadSpec;
  /** The same without them, for the records. */
  readonly shown: LoadSpec;
  /** Full keys in the order of their aliases; empty where none were given, as when k6 only inspects or archives. */
  readonly keys: readonly string[];
  readonly headers: LoadHeaders;
  /** Client certificate and its key (PEM); null: none. */
  readonly certificate: { readonly cert: string; readonly key: string } | null;
}

/** Reads the environment of a script. Throws an Error that says which variable is wrong and how. */
export function environmentOf(scenario: ScenarioName): ScriptEnvironment {
  const keys = keysOf();
  const file = __ENV.SIZE_CHART_LOAD_SPEC;
  const shown = file ? fromFile(file, scenario) : byHand(scenario, keys.length);
  if (keys.length > 0 && keys.length < shown.keys) {
    throw new Error(
      `SIZE_CHART_KEYS contains ${keys.length} keys, but this run was planned for ${shown.keys}: set that number of keys, or plan again`,
    );
  }
  const given = JSON.parse(__ENV.SIZE_CHART_LOAD_HEADERS || '{}') as Partial<LoadHeaders>;
  const headers = { all: {}, operations: {}, ...given };
  const { SIZE_CHART_TLS_CERT: cert, SIZE_CHART_TLS_KEY: key } = __ENV;
  const certificate = cert && key ? { cert: open(cert), key: open(key) } : null;
  return { spec: withHeaders(shown, headers), shown, keys, headers, certificate };
}

/** Kept once for all VUs: ten thousand keys are not to be had ten thousand times over. */
function keysOf(): readonly string[] {
  const file = __ENV.SIZE_CHART_KEYS_FILE;
  if (file) return new SharedArray('keys', () => splitKeys(open(file)));
  return splitKeys(__ENV.SIZE_CHART_KEYS || '');
}

function splitKeys(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((key) => key.trim())
    .filter((key) => key !== '');
}

function fromFile(file: string, scenario: ScenarioName): LoadSpec {
  const spec = JSON.parse(open(file)) as LoadSpec;
  if (spec.format !== LOAD_FORMAT) {
    throw new Error(
      `${file} has format ${spec.format}, but this script reads format ${LOAD_FORMAT}: make the file with the same version of the suite`,
    );
  }
  if (spec.scenario !== scenario)
    throw new Error(
      `${file} is for scenario ${spec.scenario}, not for ${scenario}: run the script load/${spec.scenario}.ts`,
    );
  return spec;
}

function byHand(scenario: ScenarioName, keys: number): LoadSpec {
  const baseUrl = (__ENV.SIZE_CHART_BASE_URL || 'http://127.0.0.1:8080/api/v1').replace(/\/+$/, '');
  const host = /^https?:\/\/(\[[^\]]*\]|[^/:]+)/.exec(baseUrl)?.[1] ?? '';
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
  if (!loopback && __ENV.SIZE_CHART_I_MAY_LOAD_THIS_TARGET !== 'yes') {
    throw new Error(
      `${host} is not this machine: set SIZE_CHART_I_MAY_LOAD_THIS_TARGET=yes if you may send this load to it`,
    );
  }
  const { defaults } = SCENARIOS[scenario];
  return {
    format: LOAD_FORMAT,
    run: __ENV.SIZE_CHART_LOAD_RUN || 'by-hand',
    scenario,
    baseUrl,
    scale: 1,
    start: __ENV.SIZE_CHART_LOAD_START ? Number(__ENV.SIZE_CHART_LOAD_START) : null,
    keys: Math.max(keys, SCENARIOS[scenario].leastKeys),
    reads: [templateFrom('read', __ENV.SIZE_CHART_READ || 'GET /service')],
    writes: [templateFrom('write', __ENV.SIZE_CHART_WRITE || 'PUT /service {}')],
    timeout: 15_000,
    insecure: false,
    seconds: Number(__ENV.SIZE_CHART_LOAD_SECONDS || defaults?.seconds || 0),
    rate: Number(__ENV.SIZE_CHART_LOAD_RATE || defaults?.rate || 0),
  };
}

/** `METHOD /path [JSON body]`. */
function templateFrom(kind: 'read' | 'write', text: string): LoadTemplate {
  const match = /^([A-Z]+) (\/\S*)(?: (.+))?$/.exec(text);
  if (!match?.[1] || !match[2]) {
    throw new Error(
      `SIZE_CHART_${kind.toUpperCase()} is "${text}": write METHOD /path, followed by a JSON body if the request has one`,
    );
  }
  const body = match[3] === undefined ? null : { contentType: 'application/json', text: match[3] };
  return { operation: kind, group: 'service', method: match[1], path: match[2], query: {}, headers: {}, body };
}
