import { REQUIREMENTS } from '../catalogue/requirements.ts';
import { examineTarget } from '../cli/commands/doctor.ts';
import { systemClock } from '../clock/system-clock.ts';
import type { Keys } from '../profile/profile.ts';
import { readProfile } from '../profile/read-profile.ts';
import { referenceProfile } from '../reference/profile.ts';
import { startReference } from '../reference/server.ts';
import type { Diagnosis, Finding } from './diagnosis.ts';

/** The keys of the reference server. */
export const KEYS: Keys = {
  full: ['full-key-number-one', 'full-key-number-two'],
  restricted: 'restricted-key-0',
  revoked: 'revoked-key-0',
};

/** Windows are this many times shorter. */
export const SCALE = 30;

const ALL = REQUIREMENTS.map(({ id }) => id);

/** What differs from a conforming server with a whole profile. */
export interface Circumstances {
  readonly defect?: string;
  readonly keys?: Partial<Keys>;
  /** Changes the profile's text. */
  readonly edit?: (profile: string) => string;
}

/** Examines the reference server with its own profile, but for what is said. */
export async function examined({ defect, keys, edit = (text) => text }: Circumstances = {}): Promise<Diagnosis> {
  const server = await startReference({ keys: KEYS, clock: systemClock(SCALE), defect });
  try {
    return await examineProfile(edit(referenceProfile(server.baseUrl)), { ...KEYS, ...keys });
  } finally {
    await server.close();
  }
}

/** Examines the target of a profile. */
export function examineProfile(text: string, keys: Keys): Promise<Diagnosis> {
  const read = readProfile(text, { file: 'p.yaml' });
  if ('errors' in read) throw new Error(JSON.stringify(read.errors));
  return examineTarget({ profile: read.profile, keys }, ALL, SCALE, new AbortController().signal);
}

/** The requirements that cannot be tested. */
export function untestable({ requirements }: Diagnosis): readonly string[] {
  return requirements.filter(({ testable }) => !testable).map(({ id }) => id);
}

/** What is bad among these findings, in words. */
export function bad(findings: readonly Finding[]): readonly string[] {
  return findings.filter(({ standing }) => standing === 'bad').map(({ subject, text }) => `${subject}: ${text}`);
}
