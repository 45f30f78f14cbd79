import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ArgumentError, pathSegment, pathSegments } from './path-segment.js';

describe('pathSegment', () => {
  it.each([
    [123, '123'],
    ['a/b', 'a%2Fb'],
    ['%2e%2e', '%252e%252e'],
    ['...', '...'],
    ['你好', '%E4%BD%A0%E5%A5%BD'],
    [false, 'false'],
  ])('writes %j as %s', (value, segment) => {
    expect(pathSegment('id', value)).toBe(segment);
  });

  it.each([
    ['', /must not be empty/],
    ['.', /must not be "\."/],
    ['..', /must not be "\.\."/],
    ['\ud800', /well-formed Unicode/],
    [{}, /must be text/],
    [[1], /must be text/],
    [null, /must be text/],
  ])('refuses %j, naming the argument', (value, message) => {
    expect(() => pathSegment('id', value)).toThrow(ArgumentError);
    expect(() => pathSegment('id', value)).toThrow(/Argument "id"/);
    expect(() => pathSegment('id', value)).toThrow(message);
  });

  it('never lets a value out of its segment, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        let segment: string;
        try {
          segment = pathSegment('id', value);
        } catch (error) {
          return error instanceof ArgumentError;
        }
        const url = new URL(`http://h/before/${segment}/after`);
        const [, before, middle, after, ...rest] = url.pathname.split('/');
        expect([before, decodeURIComponent(middle ?? ''), after, rest.length, url.search]).toEqual([
          'before',
          value,
          'after',
          0,
          '',
        ]);
        return true;
      }),
    );
  });
});

describe('pathSegments', () => {
  it('keeps the slashes of a wildcard', () => {
    expect(pathSegments('path', 'a/b c.txt')).toEqual(['a', 'b%20c.txt']);
  });

  it.each(['a/../x', './a', 'a//b', '/a', 'a/', ''])('refuses %j', (value) => {
    expect(() => pathSegments('path', value)).toThrow(ArgumentError);
  });
});
