import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { notInManifests, operatorManifests, operatorSteps } from './operator.ts';
import { sampleSpec } from './spec.test-support.ts';

const run = {
  spec: sampleSpec(),
  name: 'size-chart-quota-read',
  namespace: 'load',
  instances: 4,
  archive: new Uint8Array([1, 2, 3]),
  k6Version: '2.2.0',
};

/**
 * What the manifests use of the operator's resource, after `config/crd/bases/k6.io_testruns.yaml` and
 * `api/v1alpha1/testrun_types.go` of grafana/k6-operator at e2c9571 (2026-08-21), which require `parallelism` and
 * `script`. The whole published schema is applied where K6_OPERATOR_CRD names its file (`kubectl get crd testruns.k6.io
 * -o yaml`).
 */
const text = { type: 'string' };
const object = (properties: Record<string, AnySchema>, required: readonly string[] = []): AnySchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const TEST_RUN = object(
  {
    apiVersion: { const: 'k6.io/v1alpha1' },
    kind: { const: 'TestRun' },
    metadata: object({ name: text, namespace: text }, ['name']),
    spec: object(
      {
        parallelism: { type: 'integer', minimum: 1 },
        script: object({ configMap: object({ name: text, file: text }, ['name']) }),
        arguments: text,
        initializer: object({ image: text }),
        runner: object({
          image: text,
          envFrom: { type: 'array', items: object({ secretRef: object({ name: text }) }) },
        }),
      },
      ['parallelism', 'script'],
    ),
  },
  ['apiVersion', 'kind', 'metadata', 'spec'],
);

const NONE = { all: {}, operations: {} };

function documents(): unknown[] {
  return parseAllDocuments(operatorManifests(run)).map((each) => each.toJS());
}

describe('operatorManifests', () => {
  test('a ConfigMap with the archive, and a TestRun that the operator takes', () => {
    const [configMap, testRun] = documents();
    expect(configMap).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'size-chart-quota-read', namespace: 'load' },
      binaryData: { 'archive.tar': 'AQID' },
    });
    const ajv = new Ajv2020({ allErrors: true });
    expect([ajv.validate(TEST_RUN, testRun), ajv.errors]).toEqual([true, null]);
  });

  const published = process.env.K6_OPERATOR_CRD;
  test.skipIf(!published)('the whole published schema takes it (needs K6_OPERATOR_CRD)', () => {
    const crd = parse(readFileSync(published ?? '', 'utf8'), { maxAliasCount: -1 });
    const schema = closed(crd.spec.versions[0].schema.openAPIV3Schema);
    const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
    expect([ajv.validate(schema, documents()[1]), ajv.errors]).toEqual([true, null]);
  });

  test('keys come from a Secret by envFrom, and the initializer is not given them', () => {
    const manifests = operatorManifests(run);
    expect(manifests).not.toContain('SIZE_CHART_KEYS');
    expect(documents()[1]).toMatchObject({
      spec: { initializer: { image: 'grafana/k6:2.2.0' }, runner: { envFrom: [{ secretRef: { name: run.name } }] } },
    });
    expect(operatorSteps(run, NONE, 'k6-operator.yaml', 'merge *.raw').join('\n')).not.toMatch(/--from-literal/);
  });

  test.skipIf(process.platform === 'win32')(
    'so do the values of headers, of which the steps have only the names',
    () => {
      const headers = { all: { 'X-Tenant': 'secret' }, operations: { 'get-service': { "X-It's": 'secret' } } };
      const [, given = '', , create = ''] = operatorSteps(run, headers, 'k6-operator.yaml', 'merge *.raw');
      const script = `${given}\nprintf %s "$SIZE_CHART_LOAD_HEADERS"`;
      const shown = execFileSync('sh', ['-c', script]).toString();
      expect(JSON.parse(shown)).toEqual({ all: { 'X-Tenant': '…' }, operations: { 'get-service': { "X-It's": '…' } } });
      expect(create).toContain('"$SIZE_CHART_KEYS" "$SIZE_CHART_LOAD_HEADERS" | kubectl create secret');
      expect(operatorSteps(run, NONE, 'k6-operator.yaml', '').join()).not.toContain('HEADERS');
    },
  );

  test('the last step judges the logs of all pods, as the caller says', () => {
    const merge = 'merge *.raw --profile acme.yaml';
    expect(operatorSteps(run, NONE, 'k6-operator.yaml', merge).at(-1)).toBe(`size-chart-conformance ${merge}`);
  });

  test.each(['Upper', 'under_score', '-lead', 'a'.repeat(64), ''])('%j is no name for Kubernetes', (name) => {
    expect(() => operatorManifests({ ...run, name })).toThrow('is not a valid name in Kubernetes');
  });

  test('an archive that no ConfigMap holds is refused', () => {
    expect(() => operatorManifests({ ...run, archive: new Uint8Array(900_000) })).toThrow('does not fit');
  });
});

test('what the manifests lack of the profile is said', () => {
  const tls = { caFile: null, certFile: null, keyFile: null, insecure: false };
  const http = { headers: {}, timeoutMs: { connect: 1, response: 1 }, tls, proxy: null };
  expect(notInManifests(http)).toBeNull();
  const secured = { ...http, proxy: 'http://proxy:80', tls: { ...tls, caFile: 'ca.pem' } };
  expect(notInManifests(secured)).toContain(
    'http.proxy and the files of http.tls of the profile do not reach the pods',
  );
});

/** Kubernetes drops fields that a schema does not name; here they are errors. */
function closed(schema: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(schema).map(([name, value]) => {
    if (Array.isArray(value) || typeof value !== 'object' || value === null) return [name, value];
    return [name, closed(value as Record<string, unknown>)];
  });
  const copy = Object.fromEntries(entries) as Record<string, unknown>;
  return copy.type === 'object' && 'properties' in copy ? { ...copy, additionalProperties: false } : copy;
}
