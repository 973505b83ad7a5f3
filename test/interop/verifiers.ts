import { spawnSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleFromJSON } from '@sigstore/bundle';
import { Verifier as SigstoreVerifier, toSignedEntity, toTrustMaterial } from '@sigstore/verify';

/** The files of a certified run that other programs read. */
export interface Certified {
  readonly envelope: string;
  readonly bundle: string;
  readonly sshSignature: string;
  readonly publicKey: string;
  readonly allowedSigners: string;
}

/** An independent program that verifies certificates. */
export interface Verifier {
  readonly name: string;
  /** Installs what it needs, outside of the working tree; returns the reason if that is impossible here, else null. */
  install(): string | null;
  verify(files: Certified): { readonly accepted: boolean; readonly output: string };
}

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'size-chart-conformance', 'interop');
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

interface Ran {
  readonly code: number | null;
  readonly output: string;
}

function run(command: string, args: readonly string[], options: { cwd?: string; input?: string } = {}): Ran {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: 100_000,
    ...options,
  });
  return { code: status, output: error ? error.message : `${stdout}${stderr}`.trim() };
}

/** The first of these commands that fails, as a reason; null if all succeed. */
function firstFailure(...commands: readonly (() => Ran)[]): string | null {
  for (const command of commands) {
    const { code, output } = command();
    if (code !== 0) return output.split('\n').at(-1) || `exit code ${code}`;
  }
  return null;
}

/** Exit code 0 means accepted and 1 refused; anything else is a broken set-up. */
function judged({ code, output }: Ran): { accepted: boolean; output: string } {
  if (code !== 0 && code !== 1) throw new Error(`could not be tried (exit code ${code}): ${output}`);
  return { accepted: code === 0, output };
}

const goVerifier = join(cache, 'dsse-verify');
const venv = join(cache, 'venv');
const python = join(venv, process.platform === 'win32' ? 'Scripts' : 'bin', 'python');

const goSecureSystemsLib: Verifier = {
  name: 'Go go-securesystemslib',
  install() {
    mkdirSync(cache, { recursive: true });
    return firstFailure(() => run('go', ['build', '-o', goVerifier, '.'], { cwd: here('go') }));
  },
  verify: ({ publicKey, envelope }) => judged(run(goVerifier, [publicKey, envelope])),
};

const pythonSecureSystemsLib: Verifier = {
  name: 'Python securesystemslib and in-toto-attestation',
  install() {
    mkdirSync(cache, { recursive: true });
    const requirements = here('python/requirements.txt');
    return firstFailure(
      () => (existsSync(python) ? { code: 0, output: '' } : run('python3', ['-m', 'venv', venv])),
      () => run(python, ['-m', 'pip', 'install', '--quiet', '--requirement', requirements]),
    );
  },
  verify: ({ publicKey, envelope }) => judged(run(python, [here('python/verify.py'), publicKey, envelope])),
};

const sigstore: Verifier = {
  name: '@sigstore/verify',
  install: () => null,
  verify({ publicKey, bundle }) {
    const keys = () => ({
      publicKey: createPublicKey(readFileSync(publicKey)),
      validFor: () => true,
    });
    const root = { certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [], mediaType: '' };
    const verifier = new SigstoreVerifier(toTrustMaterial(root, keys), {
      tlogThreshold: 0,
      ctlogThreshold: 0,
      timestampThreshold: 0,
    });
    const entity = toSignedEntity(bundleFromJSON(JSON.parse(readFileSync(bundle, 'utf8'))));
    try {
      verifier.verify(entity);
      return { accepted: true, output: '' };
    } catch (error) {
      return { accepted: false, output: String(error) };
    }
  },
};

const sshKeygen: Verifier = {
  name: 'ssh-keygen -Y verify',
  install() {
    // Without a usable argument it prints its usage: it only matters that it starts.
    const { code, output } = run('ssh-keygen', ['-Y', 'none']);
    return code === null ? output : null;
  },
  verify({ allowedSigners, sshSignature, envelope }) {
    const names = ['-I', 'vendor', '-n', 'size-chart-conformance'];
    const args = ['-Y', 'verify', '-f', allowedSigners, ...names, '-s', sshSignature];
    const { code, output } = run('ssh-keygen', args, { input: readFileSync(envelope, 'utf8') });
    return { accepted: code === 0, output };
  },
};

const cosign: Verifier = {
  name: 'cosign',
  install() {
    const { code, output } = run('cosign', ['version']);
    return code === 0 ? null : output;
  },
  verify({ publicKey, bundle, envelope }) {
    const report = join(envelope, '..', 'report.json');
    const type = ['--type', 'https://in-toto.io/attestation/test-result/v0.1'];
    const args = [
      'verify-blob-attestation',
      '--key',
      publicKey,
      '--bundle',
      bundle,
      '--insecure-ignore-tlog',
      // Otherwise it downloads the roots of a log that is not used here.
      '--trusted-root',
      here('trusted-root.json'),
      ...type,
      report,
    ];
    const { code, output } = run('cosign', args);
    // Any failure has exit code 1, so a refusal only counts if the certificate was checked.
    if (code !== 0 && /trusted root|unknown flag|no such file/i.test(output))
      throw new Error(`could not be tried: ${output}`);
    return { accepted: code === 0, output };
  },
};

export const VERIFIERS: readonly Verifier[] = [goSecureSystemsLib, pythonSecureSystemsLib, sigstore, sshKeygen, cosign];
