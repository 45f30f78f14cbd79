// A Relay connection over a list of @fledge/query, by a client of GraphQL that pages forwards and back.
import { connectionOf, InvalidQueryError, parseQuery } from '@fledge/query';
import { memoryAdapter } from '@fledge/query/memory';
import { describe, expect, it } from '@jest/globals';
import { buildSchema, graphql } from 'graphql';

const TASKS = {
  columns: { id: { type: 'integer', nullable: false }, rank: 'integer' },
  primaryKey: 'id',
} as const;
const rows = Array.from({ length: 11 }, (_, i) => ({
  id: i + 1,
  rank: i % 4 === 0 ? null : i % 3,
}));
const secret = 'of this spec alone, and long enough';

const schema = buildSchema(`
  type PageInfo {
    hasNextPage: Boolean!
    hasPreviousPage: Boolean!
    startCursor: String
    endCursor: String
  }
  type Task { id: Int! rank: Int }
  type TaskEdge { node: Task! cursor: String! }
  type TaskConnection { edges: [TaskEdge!]! pageInfo: PageInfo! }
  type Query {
    tasks(first: Int, after: String, last: Int, before: String, sort: [String!]): TaskConnection!
  }
`);

interface ConnectionArgs {
  readonly first?: number;
  readonly after?: string;
  readonly last?: number;
  readonly before?: string;
  readonly sort?: readonly string[];
}

const rootValue = {
  tasks({ first, last, ...args }: ConnectionArgs) {
    const options = { cursors: true, onInvalid: 'throw' } as const;
    const parsed = parseQuery({ ...args, limit: first ?? last }, TASKS, options);
    const { after, before } = parsed;
    const keyset = { secret, after, before, lookAhead: true };
    const { apply, cursorOf } = memoryAdapter.buildKeyset(parsed, TASKS, keyset);
    return connectionOf({ data: apply(rows), cursorOf, parsed });
  },
};

interface Connection {
  readonly edges: readonly { readonly node: { readonly id: number }; readonly cursor: string }[];
  readonly pageInfo: Readonly<Record<'startCursor' | 'endCursor', string | null>> &
    Readonly<Record<'hasNextPage' | 'hasPreviousPage', boolean>>;
}

async function fetchTasks(args: ConnectionArgs): Promise<Connection> {
  const source = `query ($first: Int, $after: String, $last: Int, $before: String, $sort: [String!]) {
    tasks(first: $first, after: $after, last: $last, before: $before, sort: $sort) {
      edges { node { id } cursor }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`;
  const { data, errors } = await graphql({
    schema,
    source,
    rootValue,
    variableValues: { ...args },
  });
  const [error] = errors ?? [];
  if (error) throw error.originalError ?? error;
  return (data as unknown as { tasks: Connection }).tasks;
}

const idsOf = ({ edges }: Connection) => edges.map(({ node }) => node.id);

describe('connectionOf', () => {
  it.each([[['rank:asc']], [['rank:desc', 'id:desc']]])(
    'pages there and back, by %j',
    async (sort) => {
      const all = idsOf(await fetchTasks({ first: 100, sort }));
      const pages: (readonly number[])[] = [];
      let page = await fetchTasks({ first: 3, sort });
      for (;;) {
        pages.push(idsOf(page));
        expect(page.pageInfo).toMatchObject({
          startCursor: page.edges[0]?.cursor,
          endCursor: page.edges.at(-1)?.cursor,
          hasPreviousPage: pages.length > 1,
        });
        if (!page.pageInfo.hasNextPage) break;
        page = await fetchTasks({ first: 3, after: page.pageInfo.endCursor!, sort });
      }
      expect(pages.flat()).toEqual(all);
      expect(pages.at(-1)).toHaveLength(2);
      for (const expected of pages.slice(0, -1).toReversed()) {
        expect(page.pageInfo.hasPreviousPage).toBe(true);
        page = await fetchTasks({ last: 3, before: page.pageInfo.startCursor!, sort });
        expect(idsOf(page)).toEqual(expected);
        expect(page.pageInfo.hasNextPage).toBe(true);
      }
      expect(page.pageInfo.hasPreviousPage).toBe(false);
    },
  );

  it('takes the cursor of any edge', async () => {
    const { edges } = await fetchTasks({ first: 9 });
    expect(idsOf(await fetchTasks({ first: 2, after: edges[4]!.cursor }))).toEqual([6, 7]);
    expect(idsOf(await fetchTasks({ last: 2, before: edges[4]!.cursor }))).toEqual([3, 4]);
  });

  it('has no cursors on a page without rows', async () => {
    const { edges } = await fetchTasks({ first: 1 });
    expect(await fetchTasks({ last: 2, before: edges[0]!.cursor })).toEqual({
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
  });

  it('refuses a forged cursor, and both directions at once', async () => {
    const [edge] = (await fetchTasks({ first: 1 })).edges;
    await expect(fetchTasks({ first: 1, after: 'x' })).rejects.toThrow(InvalidQueryError);
    await expect(fetchTasks({ last: 1, before: `${edge!.cursor}x` })).rejects.toThrow(
      InvalidQueryError,
    );
    const both = { first: 1, after: edge!.cursor, before: edge!.cursor };
    await expect(fetchTasks(both)).rejects.toThrow(InvalidQueryError);
  });
});
