import type { NodesApart } from '../../deployment/deviations/nodes-apart.ts';
import type { Random } from '../../random/random.ts';

/** The node, from 0, that a load balancer chooses for each request, given the number of its connection. */
export function balancer(
  routing: NodesApart['routing'],
  nodes: number,
  random: Random,
): (connection: number) => number {
  let asked = 0;
  if (routing === 'in turn') return () => asked++ % nodes;
  if (routing === 'at random') return () => Math.floor(random() * nodes);
  return (connection) => Math.abs(connection) % nodes;
}
