// On each adapter and engine: a walk by cursors sees each row once, while rows are inserted and deleted between pages.
import { afterAll, beforeAll, it } from '@jest/globals';
import { expectWholeWalks, keptChanges } from './support/changing-walk.js';
import { changesOf, closePlaces, openPlaces, WALKERS } from './support/walk-places.js';

beforeAll(openPlaces, 120_000);
afterAll(closePlaces);

it.each(WALKERS)(
  '%s shows each row that stays once, however the list changes',
  async (name, engine, open) => {
    const walker = await open();
    try {
      if (walker.kept) return await expectWholeWalks(walker, keptChanges(walker.kept));
      const { changes, close } = await changesOf(name, engine);
      await expectWholeWalks(walker, changes).finally(close);
    } finally {
      await walker.close();
    }
  },
  120_000,
);
