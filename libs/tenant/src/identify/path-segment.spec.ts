import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TenantOptionError } from '../tenant.errors.js';
import { resolveTenantOptions } from '../tenant.defaults.js';
import type { TenantPathOptions } from '../tenant.options.js';
import { findSegment, compileSegmentRule } from './path-segment.js';

const ruleOf = (path: TenantPathOptions = {}) =>
  compileSegmentRule(resolveTenantOptions({ strategy: 'path', path }).path);

function read(target: string, options?: TenantPathOptions): string | undefined {
  const segment = findSegment(target, ruleOf(options));
  return segment.kind === 'found' ? segment.value : segment.kind;
}

describe('findSegment', () => {
  it.each([
    ['/acme', 'acme'],
    ['/acme/', 'acme'],
    ['/acme/tasks?x=/b', 'acme'],
    ['/acme?x=1', 'acme'],
    ['/acme#x', 'acme'],
    ['/ac%6De/x', 'acme'],
    ['/a%2Fb', 'a/b'],
    ['/acme%00', 'acme\u0000'],
    ['/%2561cme', '%61cme'],
    ['/../x', '..'],
    ['/acme;v=1/x', 'acme;v=1'],
    ['http://other/acme/x', 'acme'],
    ['HTTPS://user@other:80/acme', 'acme'],
    ['/http://other/acme', 'http:'],
    ['/', 'absent'],
    ['', 'absent'],
    ['/?acme', 'absent'],
    ['*', 'absent'],
    ['other:443', 'absent'],
    ['http://other', 'absent'],
    ['http://other?x=/acme', 'absent'],
    ['http://other\\acme/x', 'absent'],
    ['//acme', 'malformed'],
    ['//evil//x', 'malformed'],
    ['///', 'malformed'],
    ['/%E0%A4%A', 'malformed'],
    ['/%', 'malformed'],
    ['/%20/x', 'malformed'],
  ])('reads in %s: %s', (target, tenant) => {
    expect(read(target)).toBe(tenant);
  });

  it.each([
    ['/api/acme/tasks', 'acme'],
    ['/API/acme', 'acme'],
    ['/%61pi/acme', 'acme'],
    ['/apix/acme', 'absent'],
    ['/apix', 'absent'],
    ['/ap/acme', 'absent'],
    ['/api', 'absent'],
    ['/api/', 'absent'],
    ['/acme/api', 'absent'],
    ['/api//acme', 'malformed'],
    ['//api/acme', 'malformed'],
  ])('reads behind /api in %s: %s', (target, tenant) => {
    expect(read(target, { after: '/api' })).toBe(tenant);
    expect(read(target, { after: '/api/' })).toBe(tenant);
  });

  it.each([
    ['/v1/acme', { segment: 1 }, 'acme'],
    ['/v1', { segment: 1 }, 'absent'],
    ['/api/v2/acme/x', { after: '/api', segment: 1 }, 'acme'],
    ['/api/v2', { after: '/api', segment: 1 }, 'absent'],
    ['/health', { reserved: ['health'] }, 'absent'],
    ['/Health/live', { reserved: ['health'] }, 'absent'],
    ['/%68ealth', { reserved: ['HEALTH'] }, 'absent'],
    ['/healthcare', { reserved: ['health'] }, 'healthcare'],
    ['/a/b/acme', { after: '/a/b' }, 'acme'],
    ['/acme', { after: '/' }, 'acme'],
  ])('reads %s with %o: %s', (target, options, tenant) => {
    expect(read(target, options)).toBe(tenant);
  });

  it.each([
    [{ after: 'api' }, /`path\.after` of TenantModule is "api"/],
    [{ after: '//api' }, /path\.after/],
    [{ after: '/api/:version' }, /path\.after/],
    [{ after: '/api?x' }, /path\.after/],
  ])('refuses %o at boot', (options, message) => {
    expect(() => ruleOf(options)).toThrow(TenantOptionError);
    expect(() => ruleOf(options)).toThrow(message);
  });

  it('finds the segment where it says, decoded, in any target', () => {
    const parts = fc.constantFrom('/', 'a', 'api', '%', '%61', '?', '#', 'http://', ':', '.', '\\');
    const target = fc.oneof(
      fc.webPath(),
      fc.string(),
      fc.array(parts).map((list) => list.join('')),
    );
    fc.assert(
      fc.property(target, fc.nat({ max: 2 }), (text, segment) => {
        const found = findSegment(text, ruleOf({ segment }));
        if (found.kind !== 'found') return;
        const raw = text.slice(found.start, found.end);
        expect(decodeURIComponent(raw)).toBe(found.value);
        expect(raw).not.toMatch(/[/?#]/);
        expect(text[found.start - 1]).toBe('/');
        expect(text[found.end] ?? '/').toMatch(/[/?#]/);
      }),
    );
  });
});
