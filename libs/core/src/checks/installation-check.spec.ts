import { describe, expect, it } from '@jest/globals';
import { refuseSecondCopy, refuseVersions } from './installation-check.js';

const refusing = (range: string, version: string, node = '20.19.0') =>
  expect(() =>
    refuseVersions(
      { engines: { node: '>=20.19' }, peerDependencies: { peer: range } },
      node,
      () => ({ version }),
    ),
  );

describe('refuseVersions', () => {
  it.each([
    ['^11.0.0 || ^12.0.0', '11.0.0'],
    ['^11.0.0 || ^12.0.0', '12.5.1'],
    ['^11.0.0 || ^12.0.0', '12.0.0-rc.1'],
    ['^6.3.0 || ^7.0.0', '6.3.0'],
    ['^0.2.0', '0.2.2'],
  ])('takes for %s a peer of %s', (range, version) => {
    refusing(range, version).not.toThrow();
  });

  it.each([
    ['^11.0.0 || ^12.0.0', '10.4.22'],
    ['^11.0.0 || ^12.0.0', '13.0.0'],
    ['^6.3.0 || ^7.0.0', '6.2.9'],
    ['^6.3.0 || ^7.0.0', '5.9.0'],
    ['^0.2.0', '0.1.14'],
    ['^0.2.0', '0.3.0'],
  ])('refuses for %s a peer of %s', (range, version) => {
    refusing(range, version).toThrow(`needs peer ${range}, but ${version} is installed`);
  });

  it.each(['20.19.0', '22.3.0', '24.0.0', '20.19.0-nightly'])('takes Node.js %s', (node) => {
    refusing('^1.0.0', '1.0.0', node).not.toThrow();
  });

  it.each(['18.20.8', '20.9.0', '20.18.3'])('refuses Node.js %s', (node) => {
    refusing('^1.0.0', '1.0.0', node).toThrow(`needs Node.js >=20.19, but ${node} is running`);
  });

  it('lets pass what it cannot read: a bundle has no packages around it', () => {
    const manifest = { version: '1.0.0', engines: { node: '>=20' }, peerDependencies: { a: '^1' } };
    expect(() => refuseVersions(manifest, '20.19.0', () => undefined)).not.toThrow();
  });
});

describe('refuseSecondCopy', () => {
  it('takes one copy, and names the folders of two', () => {
    const one = [
      'file:///app/node_modules/@fledge/core/dist/installation-check.js',
      '1.0.0',
    ] as const;
    const two = ['file:///app/a%20b/@fledge/core/dist/installation-check.js', '1.0.0'] as const;
    expect(() => refuseSecondCopy(new Map([one]))).not.toThrow();
    expect(() => refuseSecondCopy(new Map([one, two]))).toThrow(
      '1.0.0 at /app/node_modules/@fledge/core, 1.0.0 at /app/a b/@fledge/core',
    );
  });
});
