import { describe, expect, it } from '@jest/globals';
import { MissingPeerError } from '../query.errors.js';
import { optionalPeer } from './optional-peer.js';

describe('optionalPeer', () => {
  it('gives what is installed', () => {
    expect(optionalPeer('typeorm', '@fledge/query/typeorm')).toHaveProperty('DataSource');
  });

  it('says what to install', () => {
    const load = () => optionalPeer('no-such-orm', '@fledge/query/no-such-orm');
    expect(load).toThrow(MissingPeerError);
    expect(load).toThrow(
      '@fledge/query/no-such-orm needs no-such-orm, which is not installed. Run: npm install no-such-orm',
    );
  });

  it('leaves the error of a peer that itself misses something', () => {
    const error = Object.assign(new Error("Cannot find module 'pg'"), { code: 'MODULE_NOT_FOUND' });
    const load = () => {
      throw error;
    };
    expect(() => optionalPeer('typeorm', '@fledge/query/typeorm', load)).toThrow(error);
  });
});
