import { describe, expect, it } from '@jest/globals';
import { isInRange, majorsOf } from './versions.js';

describe('isInRange', () => {
  it.each([
    ['11.1.4', '^11.1.4 || ^12.0.0'],
    ['11.2.0', '^11.1.4 || ^12.0.0'],
    ['12.5.1', '^11.1.4 || ^12.0.0'],
    ['12.0.0-next.1', '^11.1.4 || ^12.0.0'],
    ['0.14.2', '^0.14.0 || ^0.15.0'],
  ])('has %s in %s', (version, range) => {
    expect(isInRange(version, range)).toBe(true);
  });

  it.each([
    ['11.0.5', '^11.1.4 || ^12.0.0'],
    ['11.1.3', '^11.1.4 || ^12.0.0'],
    ['13.0.0', '^11.1.4 || ^12.0.0'],
    ['10.9.9', '^11.1.4 || ^12.0.0'],
    ['0.16.0', '^0.14.0 || ^0.15.0'],
    ['0.13.9', '^0.14.0'],
  ])('does not have %s in %s', (version, range) => {
    expect(isInRange(version, range)).toBe(false);
  });
});

describe('majorsOf', () => {
  it.each([
    ['^11.0.0 || ^12.0.0', [11, 12]],
    ['>=11', [11]],
    ['latest', []],
    ['catalog:', []],
  ])('of %s are %j', (range, majors) => {
    expect(majorsOf(range)).toEqual(majors);
  });
});
