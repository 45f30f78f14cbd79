import { describe, expect, it } from '@jest/globals';
import { eventJson } from './event-json.js';

describe('eventJson', () => {
  it('escapes what some clients take for the end of a line', () => {
    const value = { 'a\u2028b': ['\u2029', '\u0085', 'ü\u2027\u202a'] };
    const json = eventJson(JSON.stringify(value));
    expect(json).toBe('{"a\\u2028b":["\\u2029","\\u0085","ü\u2027\u202a"]}');
    expect(JSON.parse(json)).toEqual(value);
  });
});
