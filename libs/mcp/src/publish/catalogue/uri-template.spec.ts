import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countCalls } from '../../../../../test/support/count-calls.js';
import { type UriTemplate, uriTemplateOf } from './uri-template.js';

const templateOf = (text: string) => uriTemplateOf(text) as UriTemplate;

describe('uriTemplateOf', () => {
  it('says that a URI without parameters is none', () => {
    expect(uriTemplateOf('config://app')).toBeUndefined();
  });

  it.each<[string, string, object | undefined]>([
    ['tasks://{id}', 'tasks://7', { id: '7' }],
    ['tasks://{id}', 'tasks://a%2Fb', { id: 'a/b' }],
    ['tasks://{id}', 'tasks://', undefined],
    ['tasks://{id}', 'tasks://a/b', undefined],
    ['tasks://{id}', 'tasks://7?x=1', undefined],
    ['tasks://{id}', 'other://7', undefined],
    ['tasks://{id}', 'tasks://%zz', undefined],
    ['tasks://{id}/notes', 'tasks://7/notes', { id: '7' }],
    ['tasks://{id}/notes', 'tasks://7/note', undefined],
    ['a://{x}-{y}', 'a://1-2', { x: '1', y: '2' }],
    ['a://{x}-{y}', 'a://1-2-3', { x: '1', y: '2-3' }],
    ['files://{+path}', 'files://a/b.txt', { path: 'a/b.txt' }],
    ['files://{+path}/raw/{id}', 'files://a/b/raw/1', { path: 'a/b', id: '1' }],
    ['files://{+path}/raw/{id}', 'files://a/raw/b/raw/1', { path: 'a/raw/b', id: '1' }],
    ['files://{+path}/raw/{id}', 'files://a/raw/b/c', undefined],
    ['files://{+path}/raw/{id}', 'files:///raw/1', undefined],
    ['files://{o}/{+path}-{v}.txt', 'files://me/a-b/c-2.txt', { o: 'me', path: 'a-b/c', v: '2' }],
    ['files://{o}/{+path}-{v}.txt', 'files://me/a-2', undefined],
    ['files://{+path}/end', 'files://a/end/end', { path: 'a/end' }],
    ['x://{+a}/y/{+b}', 'x://1/y/2/y/3', { a: '1', b: '2/y/3' }],
    [
      'tasks://list{?status,page}',
      'tasks://list?status=open&page=2',
      { status: 'open', page: '2' },
    ],
    ['tasks://list{?status,page}', 'tasks://list', {}],
    ['tasks://list{?status}', 'tasks://list?status=a&status=b', { status: ['a', 'b'] }],
    ['tasks://list{?status}', 'tasks://list?other=1', undefined],
    ['tasks://{id}{?full}', 'tasks://7?full=true', { id: '7', full: 'true' }],
  ])('matches %s with %s', (template, uri, values) => {
    expect(templateOf(template).match(uri)).toEqual(values);
  });

  it.each<[string, RegExp]>([
    ['a://{x}{y}', /without a separator/],
    ['a://{x}/{x}', /twice/],
    ['a://{x', /unbalanced/],
    ['a://x}', /without/],
    ['a://{#x}', /contains "\{#x\}"/],
    ['a://{x*}', /contains "\{x\*\}"/],
    ['a://{?x}/y', /contains "\{\?x\}"/],
  ])('refuses %s', (template, reason) => {
    expect(uriTemplateOf(template)).toEqual({ refused: expect.stringMatching(reason) });
  });

  it('reads back any value that was encoded', () => {
    const template = templateOf('x://{a}/b/{c}');
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'grapheme' }),
        fc.string({ minLength: 1, unit: 'grapheme' }),
        (a, c) => {
          const uri = `x://${encodeURIComponent(a)}/b/${encodeURIComponent(c)}`;
          expect(template.match(uri)).toEqual({ a, c });
        },
      ),
    );
  });

  it('takes one pass, however a URI is made', () => {
    const template = templateOf('x://{a}-{b}-{c}-{d}-end');
    const searches = countCalls(String.prototype, 'indexOf', () => {
      expect(template.match(`x://${'-a'.repeat(500_000)}`)).toBeUndefined();
    });
    // One for each text between two parameters, from where the one before it ended.
    expect(searches).toBe(3);
  });
});
