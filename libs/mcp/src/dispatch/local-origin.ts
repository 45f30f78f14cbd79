import { Socket } from 'node:net';
import type { CallOrigin } from './call.js';

/**
 * The origin of calls that come by no connection: from a parent process or a test on this machine.
 * @param headers names and values in turn
 */
export function localOrigin(headers: readonly string[]): CallOrigin {
  const socket = Object.defineProperties(new Socket(), {
    remoteAddress: { value: '127.0.0.1' },
    remoteFamily: { value: 'IPv4' },
  });
  return { rawHeaders: ['host', 'localhost', ...headers], socket };
}
