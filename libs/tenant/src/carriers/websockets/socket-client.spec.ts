import { describe, expect, it } from '@jest/globals';
import { BadRequestException, InternalServerErrorException } from '@nestjs/common';
import fc from 'fast-check';
import { SuspendedTenantError, TenantMaintenanceError } from '../../tenant.errors.js';
import { closeSocket, holdMessages, isConnected } from './socket-client.js';

/** Keeps how it was closed. */
function wsClient() {
  const closed: [code: number, reason: string][] = [];
  const close = (code: number, reason: string) => void closed.push([code, reason]);
  return { readyState: 1, close, closed };
}

describe('closeSocket', () => {
  it.each([
    [new SuspendedTenantError(), 1008, 'TENANT_SUSPENDED'],
    [new TenantMaintenanceError(60), 1013, 'TENANT_MAINTENANCE'],
    [new BadRequestException('No token'), 1008, 'No token'],
    [new InternalServerErrorException('secret'), 1011, 'Internal server error'],
    [new Error('secret'), 1011, 'Internal server error'],
    ['secret', 1011, 'Internal server error'],
  ])('closes a ws client for %p', (error, code, reason) => {
    const client = wsClient();
    closeSocket(client, error);
    expect(client.closed).toEqual([[code, reason]]);
  });

  it('gives no reason that is too long for a frame', () => {
    const text = fc.string({ unit: 'binary', minLength: 30, maxLength: 300 });
    fc.assert(
      fc.property(text, (message) => {
        const client = wsClient();
        closeSocket(client, new BadRequestException(message));
        expect(Buffer.byteLength(client.closed[0]![1])).toBeLessThanOrEqual(123);
      }),
    );
  });

  it('closes what is neither ws nor socket.io, if it can', () => {
    let closed = 0;
    closeSocket({ close: () => (closed += 1) }, new Error());
    closeSocket({}, new Error());
    expect(closed).toBe(1);
  });
});

describe('other clients', () => {
  it('count as there, and their messages are not held', () => {
    expect(isConnected({})).toBe(true);
    expect(holdMessages({})).not.toThrow();
  });
});
