import { describe, expect, it } from '@jest/globals';
import { describeError } from './error-facts.js';

describe('describeError', () => {
  const refused = Object.assign(new Error('relation "note" exists'), { code: '42P07' });
  const cycle: Error = new Error('round');
  cycle.cause = cycle;

  it.each([
    [refused, { message: 'relation "note" exists', code: '42P07' }],
    [
      new Error('Failed query: create table note', { cause: refused }),
      { message: 'Failed query: create table note: relation "note" exists', code: '42P07' },
    ],
    [
      new Error('It said: relation "note" exists', { cause: refused }),
      { message: 'It said: relation "note" exists', code: '42P07' },
    ],
    ['text', { message: 'text' }],
    [undefined, { message: 'undefined' }],
    [new Error(''), { message: 'Error without a message' }],
    [cycle, { message: 'round' }],
  ])('of %p', (error, facts) => {
    expect(describeError(error)).toEqual(facts);
  });
});
