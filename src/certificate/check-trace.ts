import { profileDigest } from '../profile/digest.ts';
import type { Trace } from '../trace/trace.ts';
import { seedOf } from './nonce.ts';
import { deviationsFromSchedule } from './schedule.ts';
import { type Claims, isCertifiable } from './statement.ts';
import { type CheckOutcome, type Say, shown } from './verification.ts';

/** Whether a trace has the signed profile and catalogue. @param difference the outcome if the profile is another one */
export function checkHeader({ header }: Trace, claims: Claims, difference: CheckOutcome, say: Say): void {
  const sameProfile =
    header.profileDigest === claims.profileDigest && profileDigest(header.profile) === claims.profileDigest;
  const word = sameProfile ? '' : 'not ';
  say('profile', sameProfile ? 'established' : difference, `The profile in the trace is ${word}the signed one.`);
  const sameCatalogue = header.catalogueDigest === claims.catalogueDigest;
  const which = sameCatalogue ? 'the signed catalogue' : 'another catalogue than the signed one';
  say('catalogue', sameCatalogue ? 'established' : 'refuted', `The run was planned for ${which}.`);
}

/** A run with a nonce takes its schedule from it. */
export function checkSeed({ header }: Trace, nonce: string, say: Say): void {
  const same = header.seed === seedOf(nonce);
  const word = same ? 'is' : 'is not';
  say('seed', same ? 'established' : 'refuted', `The seed of the run ${word} the one that follows from your nonce.`);
}

/** Whether the requests are those that a driver with this seed would have sent: any other recording differs. */
export function checkSchedule(trace: Trace, difference: CheckOutcome, say: Say): void {
  if (!isCertifiable(trace.header.command)) {
    say('schedule', 'open', `This is a run of ${shown(trace.header.command)}, but only runs of certify are certified.`);
    return;
  }
  const deviations = deviationsFromSchedule(trace);
  if (deviations.length === 0) {
    say(
      'schedule',
      'established',
      'The requests follow from the profile, keys and seed, in number, order, pauses and names.',
    );
    return;
  }
  say(
    'schedule',
    difference,
    `The requests do not follow the schedule of the run: ${deviations.slice(0, 5).map(shown).join('; ')}.`,
  );
}
