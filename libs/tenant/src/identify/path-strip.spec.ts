import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { resolveTenantOptions } from '../tenant.defaults.js';
import type { TenantAdapterOptions, TenantPathOptions } from '../tenant.options.js';
import { findSegment, compileSegmentRule } from './path-segment.js';
import { stripUrl, compileUrlStripper } from './path-strip.js';

const read = (options: Partial<TenantAdapterOptions>) =>
  resolveTenantOptions({ strategy: 'path', ...options });
const ruleOf = (path: TenantPathOptions) => compileSegmentRule(read({ path }).path);

describe('stripUrl', () => {
  it.each<[string, TenantPathOptions, string | undefined]>([
    ['/acme', {}, '/'],
    ['/acme/', {}, '/'],
    ['/acme?x=1', {}, '/?x=1'],
    ['/acme#x', {}, '/#x'],
    ['/acme/tasks?page=2', {}, '/tasks?page=2'],
    ['/acme/a%2Fb/%E4?q=%20', {}, '/a%2Fb/%E4?q=%20'],
    ['/ac%6De/x', {}, '/x'],
    ['/api/acme', { after: '/api' }, '/api'],
    ['/api/acme/tasks', { after: '/api' }, '/api/tasks'],
    ['/api/acme?x', { after: '/api' }, '/api?x'],
    ['/v1/acme/tasks', { segment: 1 }, '/v1/tasks'],
    ['http://other/acme/x', {}, 'http://other/x'],
    ['http://other/acme', {}, 'http://other/'],
    ['/', {}, undefined],
    ['', {}, undefined],
    ['*', {}, undefined],
    ['/?acme', {}, undefined],
    ['/health/live', { reserved: ['health'] }, undefined],
    ['/acme/tasks', { after: '/api' }, undefined],
    ['//acme/x', {}, undefined],
    ['/%/x', {}, undefined],
    ['/acme//evil.com', {}, undefined],
  ])('makes of %s with %o: %s', (url, options, stripped) => {
    expect(stripUrl(url, ruleOf(options))).toBe(stripped);
  });

  it('takes out the segment and nothing else', () => {
    const segment = fc
      .string({ unit: fc.constantFrom(...'aZ9.-_:@é'), minLength: 1 })
      .map(encodeURI);
    const path = fc.array(segment, { minLength: 1, maxLength: 4 });
    const tail = fc.constantFrom('', '/', '?a=/b', '#c', '/?x');
    fc.assert(
      fc.property(path, tail, fc.nat({ max: 2 }), (parts, end, at) => {
        const url = `/${parts.join('/')}${end}`;
        const rule = ruleOf({ segment: at });
        const found = findSegment(url, rule);
        const stripped = stripUrl(url, rule);
        if (found.kind !== 'found') return expect(stripped).toBeUndefined();
        const rest = [...parts.slice(0, at), ...parts.slice(at + 1)];
        expect(stripped).toBe(
          rest.length === 0 ? `/${end.replace(/^\//, '')}` : `/${rest.join('/')}${end}`,
        );
      }),
    );
  });

  it('gives the url again once the segment is put back', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.nat({ max: 2 }), (path, segment) => {
        const rule = ruleOf({ segment });
        const found = findSegment(path, rule);
        const stripped = stripUrl(path, rule);
        if (found.kind !== 'found' || stripped === undefined) return;
        const before = stripped.slice(0, found.start - 1);
        const behind = stripped.slice(found.start - 1);
        const again = `${before}/${path.slice(found.start, found.end)}${behind}`;
        // `/acme` and `/acme/` are both `/` without it.
        expect([again, again.replace(/\/$/, '')]).toContain(path);
      }),
    );
  });
});

describe('compileUrlStripper', () => {
  it('is there where a strategy strips', () => {
    expect(compileUrlStripper(read({}))).toBeUndefined();
    expect(compileUrlStripper(read({ strategy: 'header', path: { strip: true } }))).toBeUndefined();
    expect(compileUrlStripper(read({ path: { strip: true } }))?.('/acme/x')).toBe('/x');
  });

  it('strips by the first that finds a segment', () => {
    const options = read({
      strategy: [
        'header',
        { type: 'path', after: '/t' },
        { type: 'path', after: '/o', segment: 1 },
      ],
      path: { strip: true, reserved: ['none'] },
    });
    const strip = compileUrlStripper(options);
    expect(['/t/acme/x', '/o/eu/acme', '/t/none', '/x/acme'].map((url) => strip?.(url))).toEqual([
      '/t/x',
      '/o/eu',
      undefined,
      undefined,
    ]);
  });
});
