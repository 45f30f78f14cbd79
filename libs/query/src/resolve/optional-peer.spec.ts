import { describe, expect, it } from '@jest/globals';
import { MissingPeerError } from '../query.errors.js';
import { optionalPeer } from './optional-peer.js';

describe('optionalPeer', () => {
  it('loads an installed package', () => {
    expect(optionalPeer('typeorm', '@fledge/query/typeorm')).toHaveProperty('DataSource');
  });

  it('names the package to install', () => {
    const load = () => optionalPeer('no-such-orm', '@fledge/query/no-such-orm');
    expect(load).toThrow(MissingPeerError);
    expect(load).toThrow(
      '@fledge/query/no-such-orm needs no-such-orm, which is not installed. Run: npm install no-such-orm',
    );
  });

  it('keeps the error of a peer that lacks a dependency', () => {
    const error = Object.assign(new Error("Cannot find module 'pg'"), { code: 'MODULE_NOT_FOUND' });
    const load = () => {
      throw error;
    };
    expect(() => optionalPeer('typeorm', '@fledge/query/typeorm', load)).toThrow(error);
  });
});
