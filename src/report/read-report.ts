import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import schema from '../../schema/report.schema.json' with { type: 'json' };
import { FORMATS } from './formats.ts';
import type { Report } from './report.ts';

/** A report that cannot be read: the message says which, why, and what to do. */
export class ReportProblem extends Error {
  override readonly name = 'ReportProblem';
}

const LARGEST = 64 * 1024 * 1024;
const validator = new Ajv2020({ strict: true, allowUnionTypes: true });

/**
 * Reads `report.json` of a run's folder (or a file of that form) and checks it against its schema.
 *
 * @throws ReportProblem where there is none, it is too large, is not JSON, or does not follow the schema
 */
export async function readReport(path: string): Promise<Report> {
  const file = await reportFile(path);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ReportProblem(
      `${file}: not JSON (${error instanceof Error ? error.message : error}). Make it again from its trace.`,
    );
  }
  if (!isReport(value)) {
    const first = validator.errors?.[0];
    const where = first?.instancePath === '' ? 'the document' : first?.instancePath;
    throw new ReportProblem(
      `${file}: ${where} ${first?.message}. It is no report of this version of the suite: make it again from its trace.`,
    );
  }
  return value;
}

function isReport(value: unknown): value is Report {
  return validator.validate(schema, value);
}

async function reportFile(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  const file = found?.isDirectory() ? join(path, FORMATS.json.file) : path;
  const size = await stat(file).then(
    (each) => each.size,
    () => null,
  );
  if (size === null)
    throw new ReportProblem(`${file}: there is no report here. Name the folder of a run, such as reports/<run>.`);
  if (size > LARGEST) throw new ReportProblem(`${file}: ${size} bytes are more than a report can have (${LARGEST}).`);
  return file;
}
