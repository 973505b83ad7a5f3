import type { Operation } from '../../profile/profile.ts';
import { byApiKey, byBearer } from '../credentials.ts';
import type { Session } from '../session.ts';
import { pairOf, type Shot } from '../shot.ts';
import type { Bench } from './track.ts';

/**
 * On a spent budget: every other operation of the kind, the other header, and each way of evasion of LIMIT-EVADE. All must be refused; a plain
 * request before, between and after shows that the budget was spent all the while.
 */
export async function evade(bench: Bench): Promise<void> {
  const { session, track } = bench;
  await bench.one('control');
  for (const operation of others(session, bench)) {
    await bench.one('scope', { operation, pair: pairOf(operation), variation: null });
  }
  await bench.one('control');
  await bench.one('header', { credential: byBearer(session.secret(track.key)) });
  for (const shot of evasions(session, track.key)) await bench.one('evasion', shot);
  await bench.one('control');
}

/** Operations of the same kind that need no preparation (a preparation is a write, and would be refused): up to eight, all groups first. */
function others({ profile }: Session, bench: Bench): readonly Operation[] {
  const usable = profile.operations.filter(
    (each) => each.kind === bench.track.kind && each !== bench.operation && each.prepare.length === 0,
  );
  const groups = new Set<string>();
  const first = usable.filter((each) => !groups.has(each.group) && groups.add(each.group));
  return [...first, ...usable.filter((each) => !first.includes(each))].slice(0, 8);
}

/** What LIMIT-EVADE names, one at a time. Where the specification does not say that such a request succeeds, it is marked `unstated`. */
function evasions(session: Session, key: string): Partial<Shot>[] {
  const secret = session.secret(key);
  const header = (variation: string, name: string, value: string): Partial<Shot> => ({
    variation,
    extraHeaders: [[name, value]],
  });
  return [
    { variation: 'new-connection', fresh: true },
    header('forwarded-for', 'X-Forwarded-For', '203.0.113.7'),
    header('forwarded', 'Forwarded', 'for=203.0.113.8;proto=https'),
    header('real-ip', 'X-Real-IP', '203.0.113.9'),
    header('user-agent', 'User-Agent', 'Mozilla/5.0 (another client)'),
    { variation: 'query-string', fault: 'unstated', retarget: withQuery },
    { variation: 'path-case', fault: 'unstated', foreign: true, retarget: withOtherCase },
    { variation: 'trailing-slash', fault: 'unstated', foreign: true, retarget: withSlash },
    // White space around a field's value is no part of it (RFC 9110, 5.5); between the scheme and the key it may be taken for one.
    { variation: 'key-spaces', fault: 'unstated', credential: byApiKey(`  ${secret}  `) },
    {
      variation: 'key-spaces',
      fault: 'unstated',
      credential: { name: 'bearer', headers: [['Authorization', `Bearer  ${secret}`]] },
    },
    {
      variation: 'key-spaces',
      fault: 'unstated',
      credential: { name: 'bearer', headers: [['Authorization', `Bearer ${secret}  `]] },
    },
  ];
}

const withQuery = (target: string): string => `${target}${target.includes('?') ? '&' : '?'}unrelated=1`;

function withOtherCase(target: string): string {
  const [path = '', query] = target.split('?');
  return path.toUpperCase() + (query === undefined ? '' : `?${query}`);
}

function withSlash(target: string): string {
  const [path = '', query] = target.split('?');
  return `${path}/${query === undefined ? '' : `?${query}`}`;
}
