import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { CallSocket } from './call-socket.js';

describe('the time-out of the socket of a call', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  const open = () => new CallSocket(new Socket(), createServer());

  it('starts again with each write, and closes what nobody handles', () => {
    const socket = open();
    let fired = 0;
    expect(socket.setTimeout(50, () => fired++).timeout).toBe(50);
    jest.advanceTimersByTime(40);
    socket.write('');
    jest.advanceTimersByTime(40);
    expect([fired, socket.readyState]).toEqual([0, 'open']);
    jest.advanceTimersByTime(10);
    expect([fired, socket.readyState]).toEqual([1, 'closed']);
  });

  it('is ended by 0, and by the end of the socket', () => {
    const socket = open();
    const listener = jest.fn();
    socket.setTimeout(50, listener).setTimeout(0, listener);
    expect(socket.listenerCount('timeout')).toBe(0);
    socket.setTimeout(50, listener);
    socket.destroy();
    jest.advanceTimersByTime(100);
    expect(listener).not.toHaveBeenCalled();
  });

  it('takes any duration', () => {
    const socket = open();
    socket.setTimeout(Number.MAX_SAFE_INTEGER);
    jest.advanceTimersByTime(1_000);
    expect(socket.destroyed).toBe(false);
    socket.destroy();
  });
});
