import fc from 'fast-check';
import { makeHistory } from '../oracle/make-history.ts';
import { inferMarker } from '../oracle/marker.ts';
import { dateOffset } from '../oracle/server-clock.ts';
import { seededRandom } from '../random/random.ts';
import { conductOf } from '../reference/conduct.ts';
import { randomSchedule } from '../reference/schedules.test-support.ts';
import { simulate } from '../reference/simulate.test-support.ts';
import { VARIANTS } from '../reference/variants.ts';
import { conformingWorld, type World } from './world.ts';

const EPOCH = Date.UTC(2026, 10, 21, 8, 30, 17) * 1000;
const NETWORK = { uplink: [100, 200_000], work: [50, 50_000], downlink: [100, 200_000], lost: 0.02 } as const;

/** The reads of two keys of a simulated deployment, judged by a limit that differs from its own by `beyond`. */
function simulatedWorld(variant: string, seed: number, beyond: number): World {
  const schedule = randomSchedule(seededRandom(seed), { keys: 2, seconds: 120, requests: 300 });
  const exchanges = simulate(schedule, { conduct: conductOf(variant, null), seed, network: NETWORK, epoch: EPOCH });
  const marker = inferMarker(exchanges, EPOCH);
  const offset = dateOffset(exchanges, EPOCH);
  const histories = [...new Set(exchanges.flatMap(({ key }) => key ?? []))].map((key) => {
    const own = exchanges.filter((each) => each.key === key && each.kind === 'read' && each.fault !== 'bad-key');
    const history = makeHistory(own, { key, kind: 'read' }, marker, offset);
    return { ...history, limit: history.limit + beyond };
  });
  return conformingWorld(histories.filter(({ events }) => events.length > 0));
}

/** The reads of any conforming deployment, judged by its limit or by one that is a little lower or higher. */
export const SIMULATED_WORLDS: fc.Arbitrary<World> = fc
  .tuple(fc.constantFrom(...VARIANTS), fc.nat(1000), fc.integer({ min: -2, max: 2 }))
  .map(([{ name }, seed, beyond]) => simulatedWorld(name, seed, beyond));
