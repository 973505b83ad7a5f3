// Keeps the quick tests on this machine: a connection to anywhere else fails at once and says where it would have gone,
// so that no test rests on a network that another machine has not.
import { Socket } from 'node:net';
import { isLoopback } from '../src/profile/loopback.ts';

/** Made to answer nothing and to exist nowhere (RFC 2606, RFC 5737): what tests of an unreachable target name. */
const NOWHERE = /\.(invalid|example|test)$|^192\.0\.2\.|^198\.51\.100\.|^203\.0\.113\./;

/** Test files of one process share what is loaded, and so this: once is enough. */
const HELD = Symbol.for('quick tests stay on this machine');

const connect = Socket.prototype.connect;
if (!(HELD in connect)) Socket.prototype.connect = Object.assign(heldHere, { [HELD]: true });

function heldHere(this: Socket, ...given: unknown[]): Socket {
  const host = hostOf(given[0]);
  if (host !== null && !NOWHERE.test(host) && !isLoopback(`http://${host.includes(':') ? `[${host}]` : host}`)) {
    throw new Error(`a test would connect to ${host}: quick tests stay on this machine (see CONTRIBUTING.md)`);
  }
  return Reflect.apply(connect, this, given);
}

/** The runtime hands its own calls on as a list: options first. */
function hostOf(target: unknown): string | null {
  const options: unknown = Array.isArray(target) ? target[0] : target;
  if (typeof options !== 'object' || options === null || !('host' in options)) return null;
  return typeof options.host === 'string' ? options.host : null;
}
