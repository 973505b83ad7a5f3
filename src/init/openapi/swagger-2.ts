import { list, record, text } from '../../profile/outline.ts';
import type { Fields } from './document.ts';

/**
 * A Swagger 2.0 document in the terms of OpenAPI 3, as far as a profile is proposed from it: servers, bodies, forms,
 * answers and ways of sending a key. Referenced parts stay in their place.
 */
export function fromSwagger2(root: Fields): Fields {
  const host = text(root.host);
  // Without schemes, that of the document's own address counts.
  const [scheme] = list(root.schemes).map((each) => `${each}:`);
  const path = text(root.basePath) ?? '/';
  const consumes = list(root.consumes);
  const paths = Object.entries(record(root.paths)).map(([name, item]) => {
    const methods = Object.entries(record(item)).map(([method, operation]) =>
      method === 'parameters' ? [method, operation] : [method, operationOf(record(operation), consumes)],
    );
    return [name, Object.fromEntries(methods)];
  });
  return {
    ...root,
    servers: [{ url: host === null ? path : `${scheme ?? ''}//${host}${path}` }],
    paths: Object.fromEntries(paths),
    components: { securitySchemes: mapValues(root.securityDefinitions, schemeOf) },
  };
}

function operationOf(fields: Fields, consumes: readonly unknown[]): Fields {
  const parameters = list(fields.parameters).map(record);
  const [type = 'application/json'] = [...list(fields.consumes), ...consumes].map(String);
  const whole = parameters.find((each) => each.in === 'body');
  const form = parameters.filter((each) => each.in === 'formData');
  const fieldsOfForm = Object.fromEntries(form.map(({ name, in: _, required, ...schema }) => [String(name), schema]));
  const schema = whole?.schema ?? {
    type: 'object',
    properties: fieldsOfForm,
    required: form.filter((each) => each.required === true).map(({ name }) => name),
  };
  return {
    ...fields,
    parameters: parameters
      .filter((each) => each.in !== 'body' && each.in !== 'formData')
      .map((each) => ('$ref' in each ? each : { ...each, schema: each, explode: each.collectionFormat === 'multi' })),
    ...(whole === undefined && form.length === 0
      ? {}
      : { requestBody: { required: whole?.required !== false, content: { [type]: { schema } } } }),
    responses: mapValues(fields.responses, (each) => ({
      ...each,
      content: { 'application/json': { schema: each.schema } },
    })),
  };
}

/** Basic authentication is the only kind of HTTP that Swagger 2.0 knows; a bearer key is written as a header there. */
function schemeOf(scheme: Fields): Fields {
  return scheme.type === 'apiKey' && /^authorization$/i.test(String(scheme.name))
    ? { type: 'http', scheme: 'bearer' }
    : scheme;
}

function mapValues(value: unknown, change: (each: Fields) => Fields): Fields {
  return Object.fromEntries(Object.entries(record(value)).map(([name, each]) => [name, change(record(each))]));
}
