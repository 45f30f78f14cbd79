import { describe, expect, it } from '@jest/globals';
import { acceptedRanges, acceptedWeight } from './accepted-ranges.js';

describe('acceptedWeight', () => {
  it.each([
    ['*/*', 1],
    ['text/*', 1],
    ['application/*', 0],
    ['TEXT/Event-Stream;q=0.5', 0.5],
    ['text/event-stream; charset=utf-8', 1],
    ['*/*, text/event-stream;q=0', 0],
    ['text/*;q=0.3, */*;q=0.7', 0.3],
    ['text/*;q=0, text/event-stream', 1],
    ['text/html, */*;q=0.8', 0.8],
    ['text/event-streams', 0],
    ['', 0],
  ])('reads %j', (accept, weight) => {
    expect(acceptedWeight(acceptedRanges(accept), 'text/event-stream')).toBe(weight);
  });
});
