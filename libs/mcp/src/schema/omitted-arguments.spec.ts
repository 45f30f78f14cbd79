import { describe, expect, it } from '@jest/globals';
import { omittedIfNull, withoutNulls } from './omitted-arguments.js';
import type { ToolInput } from './tool-input.js';

const input: ToolInput = {
  schema: { type: 'object', required: ['page', 'title'] },
  places: [
    { argument: 'id', place: 'path', name: 'id' },
    { argument: 'page', place: 'query', name: 'page' },
    { argument: 'q', place: 'query', name: 'q' },
    { argument: 'note', place: 'body', name: 'note' },
  ],
  body: 'fields',
};

describe('omittedIfNull', () => {
  it('names the optional arguments of the query', () => {
    expect([...omittedIfNull(input)]).toEqual(['q']);
  });

  it('leaves every other null to the schema', () => {
    expect(withoutNulls({ q: null, note: null }, omittedIfNull(input))).toEqual({ note: null });
    expect(withoutNulls({ q: '' }, omittedIfNull(input))).toEqual({ q: '' });
    expect(withoutNulls(null, omittedIfNull(input))).toBeNull();
  });
});
