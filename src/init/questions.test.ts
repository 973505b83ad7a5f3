import { expect, test } from 'vitest';
import { askMissing } from './questions.ts';

test('only what is not known is asked for, and no answer is no value', async () => {
  const asked: string[] = [];
  const answers = await askMissing({ openapi: 'a.yaml', baseUrl: null, name: null }, async (question) => {
    asked.push(question);
    return question.startsWith('Base URL') ? 'http://127.0.0.1/api/v1' : '';
  });
  expect(answers).toEqual({ openapi: 'a.yaml', baseUrl: 'http://127.0.0.1/api/v1', name: null });
  expect(asked).toHaveLength(2);
});
