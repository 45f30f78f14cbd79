export const DATABASE_URL =
  process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';

/** The table of the routes that list tasks. */
export const LIST_TABLE = 'fledge_bench_list';
