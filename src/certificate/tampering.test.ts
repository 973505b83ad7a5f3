import { generateKeyPairSync } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tried } from '../../test/sampled.test-support.ts';
import { attestRun } from './attest.ts';
import { forge, judge, makeRun, SUITE, temporaryFolder } from './run.test-support.ts';
import { verifyRun } from './verify.ts';

const vendor = generateKeyPairSync('ed25519');
const run = await makeRun({ statuses: [200, 200, 401, 404, 429, 200, 200] });
await attestRun({ run, key: vendor.privateKey, suite: SUITE, judge });

/** Makes an altered copy of a file's content; where nothing changes (two equal lines swapped), it is not a case. */
type Mutation = (content: Buffer) => Buffer;

const place = fc.nat({ max: 1_000_000 });
const at = (position: number, length: number): number => position % Math.max(1, length);

const byteChanged = fc.tuple(place, fc.integer({ min: 1, max: 255 })).map(
  ([position, change]): Mutation =>
    (content) => {
      const index = at(position, content.length);
      const altered = Buffer.from(content);
      altered[index] = (altered[index] ?? 0) ^ change;
      return altered;
    },
);
const byteRemoved = place.map(
  (position): Mutation =>
    (content) => {
      const index = at(position, content.length);
      return Buffer.concat([content.subarray(0, index), content.subarray(index + 1)]);
    },
);
const byteAdded = fc.tuple(place, fc.integer({ min: 0, max: 255 })).map(
  ([position, byte]): Mutation =>
    (content) => {
      const index = at(position, content.length + 1);
      return Buffer.concat([content.subarray(0, index), Buffer.from([byte]), content.subarray(index)]);
    },
);
const truncated = place.map(
  (position): Mutation =>
    (content) =>
      content.subarray(0, at(position, content.length)),
);

/** A mutation of the file's lines; the line end of the last one stays where it is. */
const ofLines = (change: (lines: string[], position: number, other: number) => string[]): fc.Arbitrary<Mutation> =>
  fc.tuple(place, place).map(([position, other]) => (content) => {
    const lines = content.toString('latin1').trimEnd().split('\n');
    const altered = change([...lines], at(position, lines.length), at(other, lines.length));
    return Buffer.from(`${altered.join('\n')}\n`, 'latin1');
  });
const lineRemoved = ofLines((lines, position) => lines.filter((_, index) => index !== position));
const lineDoubled = ofLines((lines, position) => lines.toSpliced(position, 0, lines[position] ?? ''));
const linesSwapped = ofLines((lines, one, other) =>
  lines.map((line, index) => (index === one ? lines[other] : index === other ? lines[one] : line) ?? ''),
);

/** Changes one text or number inside the profile that the trace's header holds, and nothing else. */
const profileChanged = fc.tuple(place, fc.constantFrom('x', '0', '-')).map(
  ([position, text]): Mutation =>
    (content) => {
      const trace = content.toString('utf8');
      const start = trace.indexOf('"profile":');
      const end = trace.indexOf(',"profileDigest"');
      const index = start + 10 + at(position, end - start - 10);
      return Buffer.from(`${trace.slice(0, index)}${text}${trace.slice(index + 1)}`);
    },
);

const mutations = fc.oneof(byteChanged, byteRemoved, byteAdded, truncated, lineRemoved, lineDoubled, linesSwapped);
const FILES = ['trace.ndjson', 'report.json', 'envelope.json', 'report.sigstore.json', 'envelope.json.sig'];
const alterations = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...FILES), mutations) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('trace.ndjson'), profileChanged) },
);

const ALTERATIONS = tried(1000);

test('alter any byte of a signed file, or any line: each alteration is refuted', async () => {
  let altered = 0;
  await fc.assert(
    fc.asyncProperty(alterations, async ([file, mutate]) => {
      const original = readFileSync(join(run, file));
      const content = mutate(original);
      fc.pre(!content.equals(original));
      const copy = temporaryFolder();
      cpSync(run, copy, { recursive: true });
      writeFileSync(join(copy, file), content);
      const { outcome, result } = await verifyRun({ run: copy, key: vendor.publicKey, suite: SUITE, judge });
      expect({ outcome, result }).toEqual({ outcome: 'refuted', result: null });
      altered += 1;
    }),
    { numRuns: ALTERATIONS },
  );
  expect(altered).toBe(ALTERATIONS);
});

test('the same run signed by any other key is refuted', async () => {
  for (let round = 0; round < 20; round += 1) {
    const copy = temporaryFolder();
    for (const file of ['trace.ndjson', 'report.json']) cpSync(join(run, file), join(copy, file));
    const { privateKey } = generateKeyPairSync('ed25519');
    await attestRun({ run: copy, key: privateKey, suite: SUITE, judge });
    const { outcome } = await verifyRun({ run: copy, key: vendor.publicKey, suite: SUITE, judge });
    expect(outcome).toBe('refuted');
  }
});

test('whatever else the holder of the key signs is not verified, and breaks nothing', async () => {
  const copy = temporaryFolder();
  cpSync(run, copy, { recursive: true });
  const statement = Buffer.from(JSON.parse(readFileSync(join(run, 'envelope.json'), 'utf8')).payload, 'base64');
  const paths = pathsOf(JSON.parse(statement.toString()));
  const payloads = fc.oneof(
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    fc.tuple(fc.constantFrom(...paths), fc.jsonValue()).map(([path, value]) => replaced(statement, path, value)),
  );
  await fc.assert(
    fc.asyncProperty(payloads, async (payload) => {
      fc.pre(!statement.equals(payload));
      forge(copy, vendor.privateKey, payload);
      const { outcome } = await verifyRun({ run: copy, key: vendor.publicKey, suite: SUITE, judge });
      expect(outcome).not.toBe('verified');
    }),
    { numRuns: tried(300) },
  );
});

type Path = readonly (string | number)[];

/** Where in a JSON value there is something: every field and entry, at any depth. */
function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, part]) => pathsOf(part, [...path, name]))];
}

/** The statement with another value at the path. */
function replaced(statement: Buffer, path: Path, value: unknown): Buffer {
  const root = { whole: JSON.parse(statement.toString()) };
  let parent: Record<string | number, never> = root as never;
  const names: Path = ['whole', ...path];
  for (const name of names.slice(0, -1)) parent = parent[name] as never;
  parent[names.at(-1) ?? 'whole'] = value as never;
  return Buffer.from(JSON.stringify(root.whole));
}

test('files of two certified runs cannot be mixed', async () => {
  const other = await makeRun({ statuses: [200, 429] });
  await attestRun({ run: other, key: vendor.privateKey, suite: SUITE, judge });
  for (const file of FILES) {
    const copy = temporaryFolder();
    cpSync(run, copy, { recursive: true });
    cpSync(join(other, file), join(copy, file));
    const { outcome } = await verifyRun({ run: copy, key: vendor.publicKey, suite: SUITE, judge });
    expect({ file, outcome }).toEqual({ file, outcome: 'refuted' });
  }
});

test('the run itself is verified: what refutes above is the alteration', async () => {
  expect((await verifyRun({ run, key: vendor.publicKey, suite: SUITE, judge })).exitCode).toBe(0);
});
