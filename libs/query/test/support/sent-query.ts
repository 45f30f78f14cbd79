import type { DeclaredQueryConfig } from '../../src/resolve/declared-columns.js';

/** A query with every kind of condition, whose SQL the specs of adapters pin. */
export const SENT_QUERY = {
  filter: [
    'status:eq:open',
    'priority:gte:3',
    'title:contains:50%_',
    'id:in:1,2',
    'createdAt:between:2026-01-01,2026-02-01',
  ],
  sort: 'createdAt:desc',
  page: '2',
  limit: '10',
  q: 'dep',
};

/** Declared columns for it. */
export const SENT_CONFIG = {
  columns: {
    id: { type: 'integer', nullable: false },
    status: { type: 'enum', values: ['open', 'done'] },
    priority: 'integer',
    title: 'string',
    createdAt: { name: 'created_at', type: 'timestamp' },
  },
  searchColumns: ['title', { name: 'key', type: 'string' }],
  primaryKey: 'id',
} as const satisfies DeclaredQueryConfig;

/** The parameters of its conditions, in order. */
export const SENT_PARAMETERS = [
  'open',
  3,
  '%50!%!_%',
  1,
  2,
  new Date('2026-01-01T00:00:00Z'),
  new Date('2026-02-01T00:00:00Z'),
  '%dep%',
  '%dep%',
];
