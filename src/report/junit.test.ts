import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { junitReport } from './junit.ts';
import { printable } from './printable.ts';
import { sampleExchange } from './sample-exchange.test-support.ts';
import { sampleProof, sampleReport } from './sample-report.test-support.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Element {
  readonly [attribute: string]: string;
}
interface Suite {
  readonly '@file': string;
  readonly '@skipped': string;
  readonly testcase: readonly Case[];
  readonly properties: { readonly property: readonly { readonly '@name': string; readonly '@value': string }[] };
}
interface Case {
  readonly '@name': string;
  readonly '@classname': string;
  readonly failure?: Element;
  readonly skipped?: Element;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  trimValues: false,
  htmlEntities: true,
  isArray: (name) => ['testsuite', 'testcase', 'property'].includes(name),
});

function suites(xml: string): readonly Suite[] {
  expect(XMLValidator.validate(xml)).toBe(true);
  return parser.parse(xml).testsuites.testsuite;
}

function cases(xml: string): Case[] {
  return suites(xml).flatMap((each) => each.testcase);
}

test('every requirement is a test case in the section that it belongs to', () => {
  const found = cases(junitReport(sampleReport()));
  expect(found.map((each) => each['@name'])).toEqual(REQUIREMENTS.map(({ id, title }) => `${id} ${title}`));
  expect(found.find((each) => each['@name'].startsWith('AUTH-5 '))?.['@classname']).toBe(
    'size-chart-service-api-v1.authentication',
  );
  expect(found.find((each) => each['@name'].startsWith('LIMIT-KEY '))?.['@classname']).toBe(
    'size-chart-service-api-v1.limits',
  );
});

test('a suite has the file that states it, and of each requirement the verdict in a word', () => {
  for (const suite of suites(junitReport(sampleReport({ 'LIMIT-R': { verdict: 'waived' } })))) {
    expect(existsSync(join(ROOT, suite['@file']))).toBe(true);
    const values = new Map(suite.properties.property.map((each) => [each['@name'], each['@value']]));
    for (const { '@name': name } of suite.testcase) {
      const id = name.split(' ')[0] ?? '';
      expect(values.get(`${id}.verdict`)).toBe(id === 'LIMIT-R' ? 'waived' : /-O\d/.test(id) ? 'observed' : 'pass');
    }
  }
});

test('failures carry their argument, and nothing that was not judged counts as passed', () => {
  const report = sampleReport({
    'HDR-1': { verdict: 'fail', summary: 'missing on 404', proofs: [sampleProof([sampleExchange()])] },
    'AUTH-6': { verdict: 'not tested', summary: 'no restricted key', remedy: 'Set SIZE_CHART_RESTRICTED_KEY.' },
    'LIMIT-R': { verdict: 'inconclusive', summary: 'others used the key' },
  });
  const xml = junitReport(report);
  const byName = new Map(cases(xml).map((each) => [each['@name'].split(' ')[0], each]));
  expect(byName.get('HDR-1')?.failure?.['@message']).toBe('missing on 404');
  expect(byName.get('HDR-1')?.failure?.['#text']).toMatch(/^Missing on 404\.\n\nexpected: X-RateLimit-Limit/);
  expect(byName.get('AUTH-6')?.skipped?.['@message']).toBe(
    'not tested: no restricted key → Set SIZE_CHART_RESTRICTED_KEY.',
  );
  expect(byName.get('LIMIT-R')?.skipped?.['@message']).toContain('inconclusive: others used the key');
  const root = parser.parse(xml).testsuites;
  expect([root['@tests'], root['@failures']]).toEqual([String(REQUIREMENTS.length), '1']);
  const skipped = suites(xml).map((each) => Number(each['@skipped']));
  expect(skipped.reduce((sum, each) => sum + each, 0)).toBe(7);
});

test('whatever a target sends, the document stays well-formed and says it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (hostile) => {
      const report = sampleReport({
        'HDR-2': { verdict: 'fail', summary: `<${hostile}`, proofs: [sampleProof([], { received: hostile })] },
      });
      const found = cases(junitReport(report)).find((each) => each['@name'].startsWith('HDR-2 '));
      expect(found?.failure?.['@message']).toBe(`<${printable(hostile)}`);
    }),
    { numRuns: 100 },
  );
});
