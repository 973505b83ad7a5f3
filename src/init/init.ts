import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../caught.ts';
import { looksSecret } from '../profile/looks-secret.ts';
import { checkBaseUrl } from '../profile/rules/target.ts';
import { envExample, missingVariables, unsetVariables } from './env-example.ts';
import { InitError } from './init-error.ts';
import { readOpenApi } from './openapi/document.ts';
import { type Api, apiOf } from './openapi/operations.ts';
import { readSource } from './openapi/source.ts';
import type { Proposal } from './proposal.ts';
import { type Base, PLACEHOLDER_URL, proposeBaseUrl } from './propose/base-url.ts';
import { propose } from './propose/propose.ts';
import { sampleProposal } from './propose/sample.ts';
import { askUntil, type Dialogue } from './questions.ts';
import { type Settled, settle } from './settle.ts';

/** What the user gave on the command line; null: nothing. */
export interface Known {
  /** File or URL of an OpenAPI document. */
  readonly openapi: string | null;
  readonly baseUrl: string | null;
  readonly name: string | null;
}

/** What `init` has written. */
export interface Written extends Settled {
  readonly profile: string;
  readonly envExample: string;
  /** Null if `.env.example` was written; else the variables that the user's own file lacks. */
  readonly envExampleLacks: readonly string[] | null;
  /** The variables that an existing `.env` does not set; null: there is no such file. */
  readonly envLacks: readonly string[] | null;
}

/**
 * Writes a profile and `.env.example` next to it. It never overwrites either: an existing profile is an error, and an
 * existing `.env.example` stays unchanged.
 *
 * @param dialogue asks the user for what is neither given nor in the document; null: asks nobody
 * @throws InitError
 */
export async function init(file: string, known: Known, dialogue: Dialogue | null = null): Promise<Written> {
  refuseExisting(file);
  const baseUrl = known.baseUrl === null ? null : usableUrl(known.baseUrl);
  const settled = settle(await proposalFor({ ...known, baseUrl }, dialogue), file, schemaFor(file));
  writeNew(file, settled.text);
  const example = join(dirname(file), '.env.example');
  const existing = existsSync(example);
  if (!existing) writeNew(example, envExample());
  const envExampleLacks = existing ? missingVariables(readFileSync(example, 'utf8')) : null;
  const env = join(dirname(file), '.env');
  const envLacks = existsSync(env) ? unsetVariables(textOf(env)) : null;
  return { ...settled, profile: file, envExample: example, envExampleLacks, envLacks };
}

/** @throws InitError if the file cannot be created; this is checked before any question or reading */
function refuseExisting(file: string): void {
  if (/\.json$/i.test(file))
    throw new InitError(`${file}: init writes comments, which JSON does not allow. Give a .yaml file with --profile.`);
  if (existsSync(file)) {
    throw new InitError(
      `${file} already exists, and init never overwrites. Choose another file with --profile, or remove it.`,
    );
  }
}

async function proposalFor(known: Known, dialogue: Dialogue | null): Promise<Proposal> {
  const ask = async <Value>(question: string, read: (answer: string) => Value | Promise<Value>) =>
    dialogue === null ? null : askUntil(dialogue, question, read);
  const description =
    known.openapi === null
      ? await ask('OpenAPI document of the service: file or URL (Enter for none): ', describe)
      : await describe(known.openapi);
  const base = description === null ? null : baseOf(description);
  const baseUrl =
    known.baseUrl ??
    (base?.known
      ? null
      : await ask(`Base URL, such as ${base?.url.value ?? PLACEHOLDER_URL} (Enter to decide later): `, usableUrl));
  const named = known.name !== null || (description !== null && description.api.title !== null);
  const name = named ? known.name : await ask('Name of the deployment in reports (Enter for none): ', String);
  if (description === null) return sampleProposal({ baseUrl, name });
  const proposal = propose(description.api, { baseUrl, name }, description.url);
  return { ...proposal, checks: [...description.unread, ...proposal.checks] };
}

function baseOf({ api, url }: Description): Base {
  const paths = api.operations.map(({ path }) => path);
  return proposeBaseUrl(null, api.servers, paths, url);
}

interface Description {
  readonly api: Api;
  /** Where it was read from; null: a file. */
  readonly url: string | null;
  /** The parts that could not be read, as sentences. */
  readonly unread: readonly string[];
}

/** @throws InitError where it cannot be read */
async function describe(place: string): Promise<Description> {
  const source = await readSource(place);
  const { root, unread } = await readOpenApi(source);
  return { api: apiOf(root), url: source.isUrl ? place : null, unread: unread.map((what) => `The document ${what}.`) };
}

/** @throws InitError where it is none */
function usableUrl(url: string): string {
  const [wrong] = checkBaseUrl(url, []);
  if (wrong) throw new InitError(`The base URL ${wrong.problem}. ${wrong.remedy}`);
  // What comes before may be the name of a tenant; what ends a base URL is its version.
  if (looksSecret(new URL(url).pathname.split('/').filter(Boolean).at(-1) ?? '')) {
    throw new InitError(
      'The base URL ends in what looks like an API key. Leave it out: keys come from the environment or .env only.',
    );
  }
  return url;
}

/** Path of the schema for editors, from the profile's folder: in the package, which is or will be installed there. */
function schemaFor(file: string): string {
  const here = fileURLToPath(new URL('../../schema/profile.schema.json', import.meta.url));
  const path = relative(dirname(file), here).split(sep).join('/');
  return path.startsWith('..') ? './node_modules/size-chart-conformance/schema/profile.schema.json' : `./${path}`;
}

/** Empty for what cannot be read: the commands that need it say so. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    const code = codeOf(error) ?? 'unknown';
    throw new InitError(
      `${file} cannot be written (${code}). Check the folder, or choose another file with --profile.`,
    );
  }
}
