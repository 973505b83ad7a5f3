import { readFileSync } from 'node:fs';
import { code, table } from './markdown.ts';

/** As much of JSON Schema as the profile's schema uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly const?: number | string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** Objects with a section of their own, in the order of a profile; the name is that of the section. */
const SECTIONS = ['target', 'operation', 'probes', 'probe', 'http', 'pacing', 'waiver'] as const;

/** The reference of all fields, a section for each object of the profile's schema. */
export function profileFields(): string {
  const schema = JSON.parse(
    readFileSync(new URL('../../schema/profile.schema.json', import.meta.url), 'utf8'),
  ) as Schema;
  const definitions = schema.definitions ?? {};
  // The field that holds such an object is described in the table of the profile.
  const described = new Set<string | null>(Object.values(schema.properties ?? {}).map(referenceOf));
  const section = (title: string, each: Schema, text = ''): string =>
    `## ${title}\n\n${text}${table(['Field', 'Value', 'Meaning'], rows(each, definitions, ''))}`;
  const textOf = (name: string): string => {
    const { description } = definitions[name] ?? {};
    return description === undefined || described.has(name) ? '' : `${description}\n\n`;
  };
  return [
    section('The profile', schema),
    ...SECTIONS.map((name) => section(name, definitions[name] ?? {}, textOf(name))),
  ].join('\n\n');
}

function rows(schema: Schema, definitions: Readonly<Record<string, Schema>>, prefix: string): string[][] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const target = referenceOf(field);
    const resolved = { ...(target === null ? {} : definitions[target]), ...field };
    const own: string[] = [
      `${code(prefix + name)}${required.has(name) ? ' (required)' : ''}`,
      typeOf(resolved, target),
      [resolved.description ?? '', exampleOf(resolved)].filter((text) => text !== '').join(' '),
    ];
    const isSection = SECTIONS.some((each) => each === target);
    const nested = !isSection && resolved.properties ? rows(resolved, definitions, `${prefix}${name}.`) : [];
    return [own, ...nested];
  });
}

function referenceOf(schema: Schema): string | null {
  return schema.$ref?.replace('#/definitions/', '') ?? null;
}

function typeOf(schema: Schema, target: string | null): string {
  const preset =
    schema.default === undefined || typeof schema.default === 'object'
      ? ''
      : `; default ${code(String(schema.default))}`;
  return `${kindOf(schema, target)}${rangeOf(schema)}${preset}`;
}

function kindOf(schema: Schema, target: string | null): string {
  if (target !== null && SECTIONS.some((each) => each === target)) return `[${target}](#${target})`;
  if (schema.enum) return schema.enum.map(code).join(', ');
  if (schema.const !== undefined) return code(String(schema.const));
  if (schema.items || target === 'probeList') {
    const item = target === 'probeList' ? 'probe' : schema.items && referenceOf(schema.items);
    return item ? `list of [${item}](#${item})` : 'list of texts';
  }
  if (schema.format === 'date') return 'date, such as 2027-01-31';
  const types = [schema.type ?? 'any JSON value'].flat();
  const words: Readonly<Record<string, string>> = {
    string: 'text',
    integer: 'whole number',
    object: 'map',
    boolean: 'true or false',
  };
  return types.map((type) => words[type] ?? type).join(' or ');
}

function rangeOf({ minimum, maximum, exclusiveMinimum }: Schema): string {
  const low =
    minimum !== undefined ? `from ${minimum}` : exclusiveMinimum !== undefined ? `above ${exclusiveMinimum}` : '';
  const high = maximum === undefined ? '' : `to ${maximum}`;
  const range = [low, high].filter((text) => text !== '').join(' ');
  return range === '' ? '' : ` ${range}`;
}

function exampleOf({ examples, enum: choices, format, description = '' }: Schema): string {
  if (!examples || choices || format === 'date' || description.includes('such as /')) return '';
  const shown = examples.map((each) => code(typeof each === 'string' ? each : JSON.stringify(each)));
  return `Such as ${shown.join(' or ')}.`;
}
