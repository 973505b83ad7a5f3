import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { init } from './init.ts';

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'questions-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs init with these answers, one after the other. Gives the questions, what was said, and the profile. */
async function answered(openapi: string | null, answers: readonly string[]) {
  const questions: string[] = [];
  const said: string[] = [];
  const left = [...answers];
  const file = join(folder, 'p.yaml');
  const ask = async (question: string): Promise<string> => {
    questions.push(question.replace(/[,(:].*/, '').trim());
    return left.shift() ?? '';
  };
  await init(file, { openapi, baseUrl: null, name: null }, { ask, say: (text) => said.push(text) });
  return { questions, said, text: readFileSync(file, 'utf8') };
}

test('each answer is checked before the next question, and asked for again where it is of no use', async () => {
  const { questions, said, text } = await answered(null, [
    join(folder, 'none.yaml'),
    fixture('generated/by-hand-relative.yaml'),
    'api.example.org',
    'https://api.example.org/api/v1',
  ]);
  expect(questions).toEqual([
    'OpenAPI document of the service',
    'OpenAPI document of the service',
    'Base URL',
    'Base URL',
  ]);
  expect(said).toEqual([
    expect.stringContaining('there is no such file'),
    expect.stringContaining('The base URL is not an absolute URL'),
  ]);
  expect(text).toContain('base_url: https://api.example.org/api/v1');
});

test('what the document says is not asked for', async () => {
  expect((await answered(fixture('generated/swag.json'), [])).questions).toEqual([]);
});

test('a document that gives a placeholder says nothing of the host', async () => {
  expect((await answered(fixture('generated/huma.yaml'), [])).questions).toEqual(['Base URL']);
});

test('the question for a base URL shows the path that the document gives', async () => {
  const file = join(folder, 'relative.yaml');
  const server = '{ url: "/{stage}/api/v1", variables: { stage: { default: prod } } }';
  writeFileSync(file, `openapi: 3.0.3\nservers: [${server}]\npaths: { /labels: { get: {} } }\n`);
  const asked: string[] = [];
  const ask = async (question: string): Promise<string> => {
    asked.push(question);
    return '';
  };
  await init(join(folder, 'p.yaml'), { openapi: file, baseUrl: null, name: 'A' }, { ask, say: () => {} });
  expect(asked).toEqual(['Base URL, such as https://api.example.com/prod/api/v1 (Enter to decide later): ']);
});

test('no answer is no value', async () => {
  const { questions, text } = await answered(null, ['', '', '']);
  expect(questions).toHaveLength(3);
  expect(text).toContain('CHECK: Write the base URL');
});
