import { describe, expect, it } from '@jest/globals';
import { hintsOfAny } from './search-tool.js';

const read = { readOnlyHint: true, idempotentHint: true };

describe('hintsOfAny', () => {
  it.each([
    [[], { readOnlyHint: true, idempotentHint: true, openWorldHint: false }],
    [[read], { readOnlyHint: true, idempotentHint: true, openWorldHint: true }],
    [
      [{ ...read, openWorldHint: false }],
      { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    ],
    [
      [read, { destructiveHint: false, idempotentHint: true }],
      { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    ],
    // A tool that says nothing may destroy data, by the defaults of the specification.
    [
      [read, { destructiveHint: false, idempotentHint: true }, {}],
      { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    ],
  ])('of %j', (tools, hints) => {
    expect(hintsOfAny(tools)).toEqual(hints);
  });
});
