import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { UnsupportedPeerError } from '../query.errors.js';
import { checkPeer, installedVersion, isInRange, SUPPORTED_PEERS } from './supported-peers.js';

const { peerDependencies } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { peerDependencies: Record<string, string> };

/** Peers of the Nest integration. The others are ORMs. */
const OF_NEST = /^@nestjs\/|^reflect-metadata$|^rxjs$/;

describe('SUPPORTED_PEERS', () => {
  it('are the ranges of package.json', () => {
    const declared = Object.entries(peerDependencies).filter(([name]) => !OF_NEST.test(name));
    expect(SUPPORTED_PEERS).toEqual(Object.fromEntries(declared));
  });
});

describe('checkPeer', () => {
  it('names the package, both versions and the cure', () => {
    const check = () => checkPeer('typeorm', '@fledge/query/typeorm', '0.2.45');
    expect(check).toThrow(UnsupportedPeerError);
    expect(check).toThrow(
      '@fledge/query/typeorm supports typeorm ^0.3.20 || ^1.0.0, but 0.2.45 is installed. ' +
        'Run: npm install "typeorm@^0.3.20 || ^1.0.0"',
    );
  });

  it('accepts installed versions, and those that cannot be read', () => {
    expect(installedVersion('typeorm')).toMatch(/^1\.\d+\.\d+$/);
    expect(installedVersion('kysely')).toMatch(/^0\.28\.\d+$/);
    expect(installedVersion('no-such-orm')).toBeUndefined();
    expect(() => checkPeer('typeorm', '@fledge/query/typeorm')).not.toThrow();
    // Not installed, as in a bundle.
    expect(() => checkPeer('@prisma/client', '@fledge/query/prisma')).not.toThrow();
  });
});

describe('isInRange', () => {
  it.each([
    ['1.0.0', true],
    ['1.12.3', true],
    ['1.0.0-rc.2', true],
    ['0.3.20', true],
    ['0.3.31', true],
    ['0.3.19', false],
    ['0.4.0', false],
    ['0.4.20', false],
    ['0.2.45', false],
    ['2.0.0', false],
    ['10.0.0', false],
  ])('^0.3.20 || ^1.0.0 has %s: %s', (version, isIn) => {
    expect(isInRange(version, '^0.3.20 || ^1.0.0')).toBe(isIn);
  });

  it.each([
    ['6.5.9', false],
    ['6.6.0', true],
    ['6.10.0', true],
    ['7.0.0', false],
  ])('^6.6.0 has %s: %s', (version, isIn) => {
    expect(isInRange(version, '^6.6.0')).toBe(isIn);
  });
});
