import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseHost } from './host.js';

describe('parseHost', () => {
  it.each([
    ['acme.example.com', ['acme', 'example', 'com']],
    ['ACME.Example.COM:8443', ['acme', 'example', 'com']],
    ['acme.example.com.', ['acme', 'example', 'com']],
    ['acme.example.com.:80', ['acme', 'example', 'com']],
    ['acme.example.com:', ['acme', 'example', 'com']],
    ['localhost', ['localhost']],
    ['xn--cme-5cd.example.com', ['xn--cme-5cd', 'example', 'com']],
    ['1and1.example.com', ['1and1', 'example', 'com']],
    [`${'a'.repeat(63)}.com`, ['a'.repeat(63), 'com']],
  ])('reads %s', (host, labels) => {
    expect(parseHost(host)).toEqual({ kind: 'name', labels });
  });

  it.each([
    ['127.0.0.1'],
    ['127.0.0.1:3000'],
    ['127.1'],
    ['2130706433'],
    ['0x7f.1'],
    ['0x7f000001'],
    ['999.999.999.999'],
    ['[::1]'],
    ['[::1]:3000'],
    ['[::ffff:127.0.0.1]'],
    ['[2001:db8::1]:'],
  ])('knows %s for an address', (host) => {
    expect(parseHost(host)).toEqual({ kind: 'address' });
  });

  it.each([
    [''],
    ['.'],
    ['..'],
    ['.example.com'],
    ['acme..example.com'],
    ['acme.example.com..'],
    ['acme.example.com/evil'],
    ['acme.example.com/'],
    ['acme.example.com\t'],
    ['acme.example.com\n'],
    [' acme.example.com'],
    ['acme.example.com@evil.com'],
    ['user:pass@acme.example.com'],
    ['acme.example.com:80:80'],
    ['acme.example.com:65536'],
    ['acme.example.com:-1'],
    ['acme.example.com:8o'],
    ['acme.example.com?x'],
    ['acme.example.com#x'],
    ['acme.example.com\\evil'],
    ['a, b.example.com'],
    ['-acme.example.com'],
    ['acme-.example.com'],
    ['my_app.example.com'],
    ['аcme.example.com'],
    ['acme%2eexample.com'],
    ['acme。example.com'],
    [`${'a'.repeat(64)}.com`],
    [`${'a.'.repeat(127)}com`],
    ['::1'],
    ['[::1'],
    ['[::1]x'],
    ['[127.0.0.1]'],
    ['[]'],
    ['http://acme.example.com'],
  ])('takes %j for no host', (host) => {
    expect(parseHost(host)).toEqual({ kind: 'malformed' });
  });

  it('never throws, and names only labels that are ones', () => {
    const letters = fc.constantFrom(...'aZ0.-:@/[]%_ \t');
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: letters })), (text) => {
        const host = parseHost(text);
        if (host.kind !== 'name') return;
        expect(host.labels.join('.')).toMatch(/^[a-z0-9.-]{1,253}$/);
        for (const label of host.labels) expect(label).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
        expect(text.toLowerCase().startsWith(host.labels.join('.'))).toBe(true);
      }),
    );
  });
});
