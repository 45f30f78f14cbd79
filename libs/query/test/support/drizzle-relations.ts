import * as drizzle from 'drizzle-orm';

/** Drizzle 1.0 has another function, and other relational queries: `npm run matrix:peers` leaves out their tests. */
export const relations =
  (drizzle as Partial<typeof drizzle>).relations ??
  ((() => undefined) as unknown as typeof drizzle.relations);
