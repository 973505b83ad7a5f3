import { certify, type Report } from '../../src/api.ts';

/** Takes a quick look at a deployment, and says in a line each what keeps it from conforming. */
export async function complaints(profile: string, keys: readonly string[]): Promise<string[]> {
  const report: Report = await certify({
    profile,
    keys: { full: keys, restricted: null, revoked: null },
    mode: 'check',
    out: `reports/check-${Date.now()}`,
  });
  return report.verdicts
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ id, title, summary }) => `${id} (${title}): ${summary}`);
}
