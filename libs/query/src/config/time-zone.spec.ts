import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { allowListsOf } from './allow-lists.js';
import { offsetFormatOf } from './time-zone.js';

afterEach(() => void jest.restoreAllMocks());

describe('offsetFormatOf', () => {
  it('accepts the names of zones only, in the way Intl spells them', () => {
    expect(offsetFormatOf('europe/BERLIN')?.resolvedOptions().timeZone).toBe('Europe/Berlin');
    for (const unknown of ['Mars/Base', '+02:00', '', 'A'.repeat(65)]) {
      expect(offsetFormatOf(unknown)).toBeUndefined();
    }
  });

  it('creates no format for a config that is new in each call', () => {
    const read = () => allowListsOf({ filterable: ['status'] });
    read();
    const created = jest.spyOn(Intl, 'DateTimeFormat');
    for (let call = 0; call < 100; call += 1) read();
    expect(created).not.toHaveBeenCalled();
  });

  it('keeps at most 100 formats, however clients spell a zone', () => {
    const spelled = (at: number) => {
      const letters = [...'europeberlin'].map((letter, bit) =>
        (at >> bit) & 1 ? letter.toUpperCase() : letter,
      );
      return `${letters.slice(0, 6).join('')}/${letters.slice(6).join('')}`;
    };
    const created = jest.spyOn(Intl, 'DateTimeFormat');
    for (let at = 0; at < 500; at += 1) offsetFormatOf(spelled(at));
    const before = created.mock.calls.length;
    offsetFormatOf(spelled(0));
    offsetFormatOf(spelled(499));
    // The first spelling was forgotten, and the last one was not.
    expect(created.mock.calls.slice(before).map(([, options]) => options?.timeZone)).toEqual([
      spelled(0),
    ]);
  });
});
