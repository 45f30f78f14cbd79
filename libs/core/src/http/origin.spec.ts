import { describe, expect, it } from '@jest/globals';
import { isLoopback, isOwnOrigin, pageOrigin } from './origin.js';

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

describe('isOwnOrigin', () => {
  it.each([
    ['https://a.com', 'a.com'],
    ['https://a.com', 'a.com:443'],
    ['https://a.com:8443', 'A.com:8443'],
    ['http://a.com:8080', 'A.com:8080'],
    ['http://[::1]:3000', '[::1]:3000'],
  ])('of %s at %s', (origin, host) => {
    expect(isOwnOrigin(origin, host)).toBe(true);
  });

  it.each([
    ['https://b.com', 'a.com'],
    ['https://a.com.evil.example', 'a.com'],
    ['http://a.com:8081', 'a.com:8080'],
    ['https://a.com:444', 'a.com'],
    ['http://a.com', 'a.com:443'],
    ['https://a.com', undefined],
    ['https://a.com', ''],
    ['https://', 'a.com'],
    ['', 'a.com'],
    ['null', 'null'],
    ['file://a.com', 'a.com'],
    ['chrome-extension://a.com', 'a.com'],
  ])('not of %p at %p', (origin, host) => {
    expect(isOwnOrigin(origin, host)).toBe(false);
  });
});

describe('isLoopback', () => {
  it.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1', '::FFFF:127.0.0.1'])(
    'of %s',
    (address) => expect(isLoopback(address)).toBe(true),
  );

  it.each([undefined, '', '10.0.0.5', '127.example.com', '::ffff:10.0.0.5', 'localhost'])(
    'not of %p',
    (address) => expect(isLoopback(address)).toBe(false),
  );
});
