import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Part } from '../judge/verdict.ts';
import { waiverStub } from './waiver-stub.ts';

const profileSchema = JSON.parse(readFileSync(new URL('../../schema/profile.schema.json', import.meta.url), 'utf8'));
const ajv = new Ajv({ strict: false });
addFormats.default(ajv);
const valid = ajv.compile({ $ref: '#/definitions/waiver', definitions: profileSchema.definitions });

const part = (name: string, verdict: Part['verdict']): Part => ({ name, verdict, witnesses: 1, summary: '' });

test('a failure as a whole is waived by one entry', () => {
  expect(parse(waiverStub({ id: 'LIMIT-R', parts: [] }, '2026-03-14T09:26:53.000Z'))).toEqual({
    waivers: [{ requirement: 'LIMIT-R', reason: '…', until: '2026-06-12' }],
  });
});

test('where only some parts fail, only they are waived', () => {
  const parts = [part('200', 'pass'), part('404', 'fail'), part('429', 'fail')];
  const { waivers } = parse(waiverStub({ id: 'HDR-1', parts }, '2026-03-14T09:26:53.000Z'));
  expect(waivers.map((each: { part: string }) => each.part)).toEqual(['404', '429']);
});

test('the stub is a waiver as the profile wants it, whatever a part is called', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
      const parts = [part(name, 'fail'), part('other', 'pass')];
      const [waiver] = parse(waiverStub({ id: 'LIMIT-EVADE', parts }, '2026-03-14T09:26:53.000Z')).waivers;
      expect(waiver.part).toBe(name);
      valid(waiver);
      expect(valid.errors).toBeNull();
    }),
  );
});
