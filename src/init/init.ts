import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkBaseUrl } from '../profile/rules/target.ts';
import { envExample, missingVariables } from './env-example.ts';
import { InitError } from './init-error.ts';
import { readOpenApi } from './openapi/document.ts';
import { apiOf } from './openapi/operations.ts';
import { readSource } from './openapi/source.ts';
import type { Proposal } from './proposal.ts';
import { propose } from './propose/propose.ts';
import { sampleProposal } from './propose/sample.ts';
import type { Answers } from './questions.ts';
import { type Settled, settle } from './settle.ts';

/** What `init` has written. */
export interface Written extends Settled {
  readonly profile: string;
  readonly envExample: string;
  /** Null where `.env.example` was made; else the variables that the user's own file does not name. */
  readonly envExampleLacks: readonly string[] | null;
}

/**
 * Writes a profile and `.env.example` beside it. Neither is ever overwritten: a profile that is there is an error, and an
 * `.env.example` that is there is left as it is.
 *
 * @throws InitError
 */
export async function init(file: string, answers: Answers): Promise<Written> {
  refuseExisting(file);
  const [wrong] = answers.baseUrl === null ? [] : checkBaseUrl(answers.baseUrl, []);
  if (wrong) throw new InitError(`The base URL ${wrong.problem}. ${wrong.remedy}`);
  const settled = settle(await proposalFor(answers), file);
  writeNew(file, settled.text);
  const example = join(dirname(file), '.env.example');
  const existing = existsSync(example);
  if (!existing) writeNew(example, envExample());
  const envExampleLacks = existing ? missingVariables(readFileSync(example, 'utf8')) : null;
  return { ...settled, profile: file, envExample: example, envExampleLacks };
}

/** @throws InitError where the file cannot be made: said before anything is asked or read */
export function refuseExisting(file: string): void {
  if (/\.json$/i.test(file))
    throw new InitError(`${file}: init writes comments, which JSON has not. Name a .yaml file.`);
  if (existsSync(file)) {
    throw new InitError(
      `${file} is there already, and init never overwrites. Name another file by --profile, or remove it.`,
    );
  }
}

async function proposalFor({ openapi, baseUrl, name }: Answers): Promise<Proposal> {
  if (openapi === null) return sampleProposal({ baseUrl, name });
  const source = await readSource(openapi);
  const document = await readOpenApi(source);
  const proposal = propose(apiOf(document.root), { baseUrl, name }, source.isUrl ? openapi : null);
  const unread = document.unread.map((what) => `The document ${what}.`);
  return { ...proposal, checks: [...unread, ...proposal.checks] };
}

function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new InitError(`${file} cannot be written (${code}). Check the folder, or name another file by --profile.`);
  }
}
