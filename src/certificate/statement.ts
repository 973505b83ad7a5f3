import { catalogueDigest } from '../catalogue/catalogue.ts';
import { REQUIREMENTS } from '../catalogue/requirements.ts';
import type { VerdictName } from '../judge/verdict.ts';
import type { Report } from '../report/report.ts';
import { FormatError } from './certificate-error.ts';
import { isRecord } from './dsse.ts';
import type { Tested } from './tested.ts';

export const PREDICATE_TYPE = 'https://in-toto.io/attestation/test-result/v0.1';

/**
 * PASSED: a complete pass. FAILED: a requirement fails. WARNED: neither, because something was waived or not judged.
 */
export type TestResult = 'PASSED' | 'WARNED' | 'FAILED';

/** Who signs: the vendor of the target, or a certifier who ran the suite against it. */
export type Role = 'vendor' | 'certifier';

/** The suite as a package: the digest (SHA-256, hex) is of its files. */
export interface SuitePackage {
  readonly name: string;
  readonly version: string;
  readonly digest: string;
}

/** The inputs of a statement besides the report. */
export interface Attested {
  /** SHA-256 (hex) of the bytes of `report.json`. */
  readonly reportDigest: string;
  readonly suite: SuitePackage;
  readonly role: Role;
  readonly tested: Tested;
}

/** The content of a signed statement that its report lacks. */
export interface Claims extends Omit<Attested, 'tested'> {
  readonly traceDigest: string;
  readonly profileDigest: string;
  readonly catalogueDigest: string;
  readonly nonce: string | null;
  readonly result: TestResult;
  /** What was tested, where, and when (ISO 8601, UTC, by the clock of the machine that ran the suite). */
  readonly target: { readonly name: string; readonly version: string | null; readonly baseUrl: string };
  readonly started: string;
}

/**
 * Why a run is not a complete pass; empty if it is one. The catalogue of this release decides what is complete, not the
 * report: each requirement must occur once, be judged and pass, except those that no client can provoke.
 */
export function shortcomings(report: Report): readonly string[] {
  const lacking = lackingIn(report);
  // What the report counts, the certificate names.
  const found = report.result.blockers.filter((each) => lacking.size === 0 || !COUNTED.test(each));
  if (!report.result.certifiable && report.result.blockers.length === 0)
    found.push('the report says that the run cannot be certified');
  if (report.run.scale !== 1) found.push('the run took place in scaled time');
  if (report.run.outcome !== 'complete' && !found.includes(ENDED_EARLY)) {
    found.push(`the run did not finish: ${report.run.outcome}`);
  }
  if (report.digests.catalogue !== catalogueDigest()) found.push('the run was planned for another catalogue');
  const known = new Set<string>(REQUIREMENTS.map((each) => each.id));
  for (const { id } of report.verdicts) if (!known.has(id)) found.push(`${id} is not in the catalogue`);
  for (const [what, ids] of lacking) found.push(`${what}: ${ids.join(', ')}`);
  return [...new Set(found)];
}

/** How a report counts the requirements that lack a pass, and says that the run ended early. */
const COUNTED = /^\d+ (?:failed|waived|inconclusive|not tested|not selected)\b/;
const ENDED_EARLY = 'the run was ended early';

/** The requirements that lack a pass, by what they have instead. */
function lackingIn(report: Report): ReadonlyMap<string, readonly string[]> {
  const lacking = new Map<string, string[]>();
  for (const { id, level, optional } of REQUIREMENTS) {
    const verdicts = report.verdicts.filter((each) => each.id === id).map((each) => each.verdict);
    const [verdict = 'not judged'] = verdicts;
    const what = verdicts.length > 1 ? 'judged more than once' : verdict;
    if (what === verdict && suffices(what, level === 'observed', optional)) continue;
    lacking.set(what, [...(lacking.get(what) ?? []), id]);
  }
  return lacking;
}

function suffices(verdict: VerdictName | 'not judged', observed: boolean, optional: boolean): boolean {
  if (verdict === 'fail' || verdict === 'waived' || verdict === 'not judged') return false;
  return observed || verdict === 'pass' || (optional && verdict === 'not tested');
}

/**
 * Whether runs of this command can be attested: `certify`, and `check`, which is the part of it that exhausts no
 * budget.
 */
export function isCertifiable(command: string): boolean {
  return command === 'certify' || command === 'check';
}

/** The result that may be attested for a report. Only a complete pass is PASSED. */
export function testResult(report: Report): TestResult {
  if (report.verdicts.some((each) => each.verdict === 'fail')) return 'FAILED';
  return shortcomings(report).length === 0 ? 'PASSED' : 'WARNED';
}

/**
 * The in-toto statement (v1, predicate test-result v0.1) on a report, as the bytes that are signed. It contains no time
 * of signing and no randomness, so `verify` can make it again from the report and compare it byte for byte.
 */
export function encodeStatement(report: Report, { reportDigest, suite, role, tested }: Attested): Uint8Array {
  const named = (verdict: VerdictName): string[] =>
    report.verdicts.filter((each) => each.verdict === verdict).map((each) => each.id);
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      { name: 'report.json', digest: { sha256: reportDigest } },
      { name: 'trace.ndjson', digest: { sha256: report.digests.trace } },
    ],
    predicateType: PREDICATE_TYPE,
    predicate: {
      result: testResult(report),
      configuration: [
        { name: 'profile', digest: { sha256: report.digests.profile } },
        { name: 'catalogue', digest: { sha256: report.digests.catalogue } },
        {
          name: 'suite',
          uri: `pkg:npm/${suite.name}@${suite.version}`,
          digest: { sha256: suite.digest },
          annotations: { name: suite.name, version: suite.version },
        },
        {
          name: 'run',
          uri: report.target.baseUrl,
          annotations: {
            role,
            nonce: report.run.nonce,
            target: report.target.name,
            targetVersion: report.target.version,
            started: report.run.started,
            seconds: report.run.seconds,
            outcome: report.run.outcome,
            scale: report.run.scale,
            chain: report.digests.chain,
            tested,
            notTested: named('not tested'),
            inconclusive: named('inconclusive'),
            shortcomings: shortcomings(report),
          },
        },
      ],
      passedTests: named('pass'),
      warnedTests: named('waived'),
      failedTests: named('fail'),
    },
  };
  return Buffer.from(JSON.stringify(statement), 'utf8');
}

/**
 * Reads what a signed payload claims. Throws a `FormatError` if it is not a statement in the form of `encodeStatement`.
 */
export function decodeStatement(payload: Uint8Array): Claims {
  let statement: unknown;
  try {
    statement = JSON.parse(Buffer.from(payload).toString('utf8'));
  } catch {
    throw new FormatError('the statement is not JSON');
  }
  if (!isRecord(statement) || statement.predicateType !== PREDICATE_TYPE) {
    throw new FormatError(`the statement is not of type ${PREDICATE_TYPE}`);
  }
  const predicate = isRecord(statement.predicate) ? statement.predicate : {};
  const suite = descriptor(predicate.configuration, 'suite');
  const run = descriptor(predicate.configuration, 'run');
  const { role, nonce, targetVersion } = annotations(run);
  const { result } = predicate;
  if (result !== 'PASSED' && result !== 'WARNED' && result !== 'FAILED') throw new FormatError('it has no result');
  if (role !== 'vendor' && role !== 'certifier') throw new FormatError('it does not say who ran the suite');
  if (nonce !== null && typeof nonce !== 'string') throw new FormatError('its nonce is not a string');
  if (targetVersion !== null && typeof targetVersion !== 'string') throw new FormatError('its target has no version');
  return {
    reportDigest: digest(descriptor(statement.subject, 'report.json')),
    traceDigest: digest(descriptor(statement.subject, 'trace.ndjson')),
    profileDigest: digest(descriptor(predicate.configuration, 'profile')),
    catalogueDigest: digest(descriptor(predicate.configuration, 'catalogue')),
    suite: {
      name: text(annotations(suite), 'name'),
      version: text(annotations(suite), 'version'),
      digest: digest(suite),
    },
    role,
    nonce,
    result,
    target: { name: text(annotations(run), 'target'), version: targetVersion, baseUrl: text(run, 'uri') },
    started: text(annotations(run), 'started'),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function descriptor(list: unknown, name: string): Fields {
  const found = Array.isArray(list) ? list.filter((each) => isRecord(each) && each.name === name) : [];
  if (found.length !== 1) throw new FormatError(`the statement does not name "${name}" exactly once`);
  return found[0] as Fields;
}

function annotations(fields: Fields): Fields {
  return isRecord(fields.annotations) ? fields.annotations : {};
}

function digest(fields: Fields): string {
  return text(isRecord(fields.digest) ? fields.digest : {}, 'sha256');
}

function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new FormatError(`the statement's "${name}" is not a string`);
  return value;
}
