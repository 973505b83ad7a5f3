import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import schema from '../../schema/report.schema.json' with { type: 'json' };
import { messageOf } from '../caught.ts';
import { bytesOf, NoPlainFile } from '../plain-file.ts';
import { FORMATS } from '../report/formats.ts';
import { printable } from '../report/printable.ts';
import type { Report } from '../report/report.ts';
import { judgeInto } from './judge-into.ts';

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
  const file = (await stat(path).catch(() => null))?.isDirectory() ? join(path, FORMATS.json.file) : path;
  let value: unknown;
  try {
    value = JSON.parse(textOf(file));
  } catch (error) {
    if (error instanceof ReportProblem) throw error;
    throw new ReportProblem(`${file}: not JSON (${printable(messageOf(error))}). ${again(file)}`);
  }
  if (!isReport(value)) {
    const first = validator.errors?.[0];
    const where = first?.instancePath === '' ? 'the document' : first?.instancePath;
    throw new ReportProblem(
      `${file}: ${where} ${first?.message}. It is not a report of this version of the suite. ${again(file)}`,
    );
  }
  return value;
}

function isReport(value: unknown): value is Report {
  return validator.validate(schema, value);
}

function textOf(file: string): string {
  try {
    return bytesOf(file, LARGEST, 'followed').toString('utf8');
  } catch (error) {
    if (!(error instanceof NoPlainFile)) throw error;
    const isMissing = error.code === 'ENOENT' || error.code === 'ENOTDIR';
    const what = isMissing ? 'there is no report here' : error.message;
    const remedy = existsSync(join(dirname(file), 'trace.ndjson'))
      ? again(file)
      : 'Name the folder of a run, such as reports/<run>.';
    throw new ReportProblem(`${file}: ${what}.${isMissing ? ` ${remedy}` : ''}`);
  }
}

function again(file: string): string {
  return `Make it from the trace: ${judgeInto(dirname(file))}`;
}
