import { catalogueDigest } from '../catalogue/catalogue.ts';
import type { RequirementId } from '../catalogue/requirement.ts';
import type { RunIdentity } from '../load/load-trace.ts';
import { profileDigest, publicProfile } from '../profile/digest.ts';
import type { Profile } from '../profile/profile.ts';
import { suiteIdentity } from './suite-identity.ts';

/** The fields for suite, profile and catalogue in the header of a load run's trace. */
export function loadIdentity(profile: Profile, seed: number, selection: readonly RequirementId[]): RunIdentity {
  const { name, version } = suiteIdentity();
  return {
    suite: { name, version },
    profile: publicProfile(profile),
    profileDigest: profileDigest(profile),
    catalogueDigest: catalogueDigest(),
    seed,
    nonce: null,
    runtime: { node: process.versions.node, platform: `${process.platform}-${process.arch}` },
    selection,
  };
}
