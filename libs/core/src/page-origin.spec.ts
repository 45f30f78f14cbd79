import { describe, expect, it } from '@jest/globals';
import { pageOrigin } from './page-origin.js';

describe('pageOrigin', () => {
  it.each([
    ['https://app.example.com', 'https://app.example.com'],
    ['HTTPS://App.Example.com:443/', 'https://app.example.com'],
    ['http://localhost:5173/', 'http://localhost:5173'],
    ['chrome-extension://abcdefgh', 'chrome-extension://abcdefgh'],
    ['moz-extension://0a1b/', 'moz-extension://0a1b'],
    ['capacitor://localhost:8080', 'capacitor://localhost:8080'],
  ])('reads %s', (text, origin) => {
    expect(pageOrigin(text)).toBe(origin);
  });

  it.each([
    '*',
    'null',
    'https://*.example.com',
    'chrome-extension://*',
    'app.example.com',
    'https://example.com/app',
    'chrome-extension://abc/popup.html',
    'https://user@example.com',
    'https://example.com?a',
    'file:///',
    'blob:https://example.com',
    'data:text/html,a',
  ])('does not take %s', (text) => {
    expect(pageOrigin(text)).toBeUndefined();
  });
});
