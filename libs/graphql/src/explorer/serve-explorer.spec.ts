import { describe, expect, it } from '@jest/globals';
import { prefersHtml } from './serve-explorer.js';

const BROWSER =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

describe('prefersHtml()', () => {
  it.each([
    [BROWSER],
    ['text/html'],
    ['TEXT/HTML'],
    ['text/html ; q=0.5'],
    ['text/html, application/json;q=0.9'],
    ['application/json;q=0.1,text/html;q=0.2'],
  ])('is true for %s', (accept) => expect(prefersHtml(accept)).toBe(true));

  it.each([
    [undefined],
    [''],
    ['*/*'],
    ['text/*'],
    ['application/json'],
    ['application/graphql-response+json, application/json;q=0.9'],
    // Of equal weight: a client that names a type of GraphQL is no browser that opens a page.
    ['text/html, application/json'],
    ['text/html, application/graphql-response+json'],
    ['text/html;q=0.9, text/event-stream'],
    ['text/html;q=0'],
    ['text/html;q=x'],
    ['application/xhtml+xml'],
    ['text/html5'],
    [`${'text/html;q=0,'.repeat(500)}`],
  ])('is false for %s', (accept) => expect(prefersHtml(accept)).toBe(false));
});
