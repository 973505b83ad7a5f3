import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import profileSchema from '../../schema/profile.schema.json' with { type: 'json' };
import waiversSchema from '../../schema/waivers.schema.json' with { type: 'json' };
import { pointerTokens } from './capture.ts';
import { type Finding, finding, type Path } from './finding.ts';
import { nearest } from './nearest.ts';
import { list, record, text } from './outline.ts';

/** Findings on the shape of a profile: fields that are unknown, missing, or of the wrong type or range. */
export function checkShape(value: unknown): readonly Finding[] {
  return findingsOf(profileSchema.$id, value);
}

/** The same of a file of waivers, whose list stands in the field `waivers`. */
export function checkWaiversShape(value: unknown): readonly Finding[] {
  return findingsOf(`${waiversSchema.$id}#/definitions/file`, value);
}

function findingsOf(schema: string, value: unknown): readonly Finding[] {
  schemas ??= compile();
  const validator = schemas.getSchema(schema);
  if (!validator) throw new RangeError(`there is no schema ${schema}`);
  if (validator(value)) return [];
  const errors = validator.errors ?? [];
  const needed = errors.some(({ data }) => data === null)
    ? missingIn(validator, withoutNulls(value))
    : new Set<string>();
  return errors.flatMap((error) => {
    const found = describe(error, needed.has(error.instancePath));
    return found ? [found] : [];
  });
}

/** JSON Pointers of the required fields that a value lacks. */
function missingIn(validator: ValidateFunction, value: unknown): ReadonlySet<string> {
  if (validator(value)) return new Set();
  return new Set(
    (validator.errors ?? []).map(({ instancePath, params }) => `${instancePath}/${String(params.missingProperty)}`),
  );
}

/** The value as if fields that are null had been removed. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, each) => each ?? undefined));
}

let schemas: Ajv | undefined;

function compile(): Ajv {
  // One document is checked: what is not optimised first is compiled in half the time.
  const ajv = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true, code: { optimize: false } });
  // Known to editors: what they (and we) say where a pattern does not match.
  ajv.addKeyword({ keyword: 'patternErrorMessage', schemaType: 'string' });
  formats.default(ajv, ['date', 'regex']);
  return ajv.addSchema([profileSchema, waiversSchema]);
}

/**
 * The one sentence for one of ajv's errors; null for one that another error repeats.
 *
 * @param isNeeded whether the field must be there
 */
function describe(error: ErrorObject, isNeeded: boolean): Finding | null {
  const path = pathOf(error.instancePath);
  const params: Readonly<Record<string, unknown>> = error.params;
  const parent: Readonly<Record<string, unknown>> = error.parentSchema ?? {};
  if (error.propertyName !== undefined) return null;
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownField([...path, String(params.additionalProperty)], Object.keys(record(parent.properties)));
    case 'propertyNames':
      return finding(
        [...path, String(params.propertyName)],
        'is not a valid variable name',
        'Use letters, digits and _, and no digit first.',
        { on: 'name' },
      );
    case 'required':
      return missingField(path, String(params.missingProperty), parent);
    case 'type':
      return wrongType(path, params.type, error.data, parent, isNeeded);
    case 'enum': {
      const allowed = list(params.allowedValues).map(String);
      const problem = `must be ${alternatives(allowed.map((each) => JSON.stringify(each)))}`;
      return finding(path, problem, 'Write one of these.', { suggestion: nearest(text(error.data) ?? '', allowed) });
    }
    case 'const':
      return finding(path, `must be ${params.allowedValue}`, `Write ${params.allowedValue}.`);
    case 'pattern': {
      const capitals = String(error.data).toUpperCase();
      const [problem = '', remedy = ''] = String(parent.patternErrorMessage).split(/(?<=[^.])\. /);
      const suggestion = METHODS.includes(capitals) && path.at(-1) === 'method' ? capitals : null;
      return finding(path, problem, remedy, { suggestion });
    }
    case 'minLength':
      return finding(path, 'must not be empty', 'Write a value, or remove the field.');
    case 'minItems':
      return finding(path, 'must not be empty', 'Add at least one entry.');
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
      return finding(path, `must be ${range(parent)}`, 'Write a number in this range, or remove the field.');
    case 'format':
      return params.format === 'date'
        ? finding(path, 'must be a calendar date', 'Write it like 2027-01-31.')
        : finding(path, 'is not a valid regular expression', EXPRESSION);
    case 'dependencies': {
      const { property, missingProperty: other } = params;
      return finding([...path, String(property)], `needs ${other} as well`, `Add ${other}.`, { on: 'name' });
    }
    default:
      return finding(path, error.message ?? 'is not valid', 'See schema/profile.schema.json.');
  }
}

const EXPRESSION = 'Write one that ECMAScript accepts with the flag u, such as "([^/]+)$".';
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'];

/** Names under which people put keys into files. */
const KEY_FIELD = /^(x[-_])?(api[-_]?)?(key|keys|token|secret|password)$|^(authorization|bearer|credentials?)$/i;

function unknownField(path: Path, known: readonly string[]): Finding {
  const name = String(path.at(-1));
  const remedy = KEY_FIELD.test(name)
    ? 'A profile never contains keys: set SIZE_CHART_KEYS in the environment or in .env.'
    : `Fields allowed here: ${known.filter((each) => each !== '$schema').join(', ')}.`;
  return finding(path, 'is not a known field', remedy, { on: 'name', suggestion: nearest(name, known) });
}

function missingField(path: Path, name: string, parent: Readonly<Record<string, unknown>>): Finding {
  const field = record(record(parent.properties)[name]);
  const values = list(field.enum);
  const examples = values.length > 0 ? ` One of: ${values.join(', ')}.` : '';
  return finding(path, `lacks the field "${name}"`, `${text(field.description) ?? 'Add it.'}${examples}`, {
    on: 'name',
  });
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'a group of fields',
  array: 'a list',
  null: 'null',
};

function wrongType(
  path: Path,
  type: unknown,
  data: unknown,
  parent: Readonly<Record<string, unknown>>,
  isNeeded: boolean,
): Finding {
  const wanted = Array.isArray(type) ? type.map(String) : [String(type)];
  const problem = `must be ${alternatives(wanted.map((each) => TYPES[each] ?? each))}`;
  if (data === null)
    return finding(path, problem, `It is empty: write a value${isNeeded ? '' : ', or remove the field'}.`);
  if (wanted.includes('string') && ['number', 'boolean'].includes(typeof data)) {
    return finding(path, problem, `Put it in quotes: "${String(data)}".`);
  }
  if (wanted.includes('integer') && typeof data === 'number') return finding(path, problem, 'Write a whole number.');
  if (wanted.includes('array'))
    return finding(path, problem, 'Start each entry with "- ", or write the entries in [ ].');
  if (typeof data === 'string' && /^(true|false|[-0-9.]+)$/.test(data))
    return finding(path, problem, 'Remove the quotes.');
  const fields = Object.keys(record(parent.properties));
  if (path.length > 0 && wanted.includes('object') && fields.length > 0)
    return finding(path, problem, `Write these fields in it, each with a value: ${fields.join(', ')}.`);
  if (parent.maximum !== undefined) return finding(path, problem, `Write a number that is ${range(parent)}.`);
  if (wanted.includes('boolean')) return finding(path, problem, 'Write true or false.');
  return finding(path, problem, 'See schema/profile.schema.json for an example.');
}

function range(rule: Readonly<Record<string, unknown>>): string {
  const lower = rule.exclusiveMinimum === undefined ? `at least ${rule.minimum}` : `more than ${rule.exclusiveMinimum}`;
  return `${lower} and at most ${rule.maximum}`;
}

/** `a`, `a or b`, `a, b or c`. */
function alternatives(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);
}

/** ajv names places by JSON Pointer. A field named by digits is taken for an index, which finds the same place. */
function pathOf(pointer: string): Path {
  return (pointerTokens(pointer) ?? []).map((token) => (/^\d+$/.test(token) ? Number(token) : token));
}
