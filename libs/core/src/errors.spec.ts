import { describe, expect, it } from '@jest/globals';
import { FledgeError } from './errors.js';

class BrokenThingError extends FledgeError {
  readonly code = 'BROKEN_THING';
}

describe('FledgeError', () => {
  it('has the name of the class that was thrown', () => {
    const error = new BrokenThingError('It broke.', { cause: 'rust' });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'BrokenThingError', code: 'BROKEN_THING', cause: 'rust' });
    expect(String(error)).toBe('BrokenThingError: It broke.');
    expect(Object.keys(error)).toEqual(['code']);
  });
});
