import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createRequestStateCodec } from '@modelcontextprotocol/server';
import { RequestFault } from '../../protocol/json-rpc.js';
import { RoundStateCodec } from './round-state.js';

const SECRET = 'a secret of at least thirty-two bytes';
const STATE = {
  id: 'round',
  call: 'digest',
  answers: { name: ['q', { action: 'accept' }] },
  asked: {},
} as const;
const codec = new RoundStateCodec(SECRET);

afterEach(() => {
  jest.useRealTimers();
});

describe('the state of a round', () => {
  it('is read by each process that has the secret', () => {
    expect(new RoundStateCodec(SECRET).verify(codec.sign(STATE))).toEqual(STATE);
  });

  it('is read by its own process without a secret', () => {
    const own = new RoundStateCodec(undefined);
    expect(own.verify(own.sign(STATE))).toEqual(STATE);
    expect(() => new RoundStateCodec(undefined).verify(own.sign(STATE))).toThrow(RequestFault);
  });

  it('has the format of the official SDK', async () => {
    const official = createRequestStateCodec({ key: SECRET });
    expect(await official.verify(codec.sign(STATE), undefined as never)).toEqual(STATE);
    expect(codec.verify(await official.mint(STATE))).toEqual(STATE);
  });

  it('is refused if one character is changed, left out or added', () => {
    const signed = codec.sign(STATE);
    for (let i = 0; i < signed.length; i++) {
      const other = signed[i] === 'A' ? 'B' : 'A';
      for (const character of [other, '', `${signed[i]}A`]) {
        const changed = signed.slice(0, i) + character + signed.slice(i + 1);
        expect(() => codec.verify(changed)).toThrow('Invalid or expired requestState');
      }
    }
  });

  it.each<unknown>([null, 7, '', 'v1.', 'v1.e30.', {}, { toString: null }])(
    'is refused if it is %j',
    (state) => {
      expect(() => codec.verify(state)).toThrow('Invalid or expired requestState');
    },
  );

  it('is refused after ten minutes', () => {
    jest.useFakeTimers({ now: 1_000_000 });
    const signed = codec.sign(STATE);
    jest.setSystemTime(1_000_000 + 600_000);
    expect(codec.verify(signed)).toEqual(STATE);
    jest.setSystemTime(1_000_000 + 601_000);
    expect(() => codec.verify(signed)).toThrow('Invalid or expired requestState');
  });
});
