import { Agent, request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { auditServer } from 'graphql-http';
import { graphqlHttp, GraphqlMountModule, type GraphqlMountOptions } from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';

afterEach(closeAll);

const hello = { typeDefs: 'type Query { hello: String }', rootValue: { hello: () => 'world' } };

/**
 * Audits that ask for the status of an earlier draft. GraphQL over HTTP, first release (September 2026), "Status Codes",
 * has 422 where they expect 400; graphql-over-http.spec.ts checks that.
 */
const INTENDED = [
  // "If the request is not a well-formed GraphQL-over-HTTP request, status code 422 SHOULD be used."
  ['423L', 'MAY use 400 status code on missing {query} parameter'],
  ...['object', 'number', 'boolean', 'array'].flatMap((type, i) => [
    [`LKJ${i}`, `MAY use 400 status code on ${type} {query} parameter`],
    [`6C0${i}`, `MAY use 400 status code on ${type} {operationName} parameter`],
  ]),
  ...['string', 'number', 'boolean', 'array'].flatMap((type, i) => [
    [`476${i}`, `MAY use 400 status code on ${type} {variables} parameter`],
    [`58B${i}`, `MAY use 400 status code on ${type} {extensions} parameter`],
  ]),
  ['3E3A', 'MAY use 400 status code if parameters are invalid'],
  // "If the variable values cannot be coerced to match the operation's variable definitions, status code 422 SHOULD be used."
  [
    '86EE',
    'SHOULD use a status code of 400 on variable coercion failure when accepting application/graphql-response+json',
  ],
].toSorted();

type Cases = readonly (readonly [string, Partial<GraphqlMountOptions>, object])[];

/** Audits that send variables with `query Type($name: String!) { __type(name: $name) { name } }`. */
const OF_TYPE = ['2EA1', '28B9', 'D6D5', '6A70'];

const runtimes = [
  ['graphqlHttp() as middleware', {}, {}],
  ['graphqlHttp() without a body parser', {}, { bodyParser: false }],
  ['graphqlHttp() as route', { mountAs: 'route' }, {}],
  [
    'graphqlHttp() with event streams and batches',
    { runtime: graphqlHttp({ eventStreams: true, batch: { limit: 5 } }) },
    {},
  ],
  ['yoga()', { runtime: yoga() }, {}],
  ['yoga() as route', { runtime: yoga(), mountAs: 'route' }, {}],
] as const satisfies Cases;

const withOptions = [
  ['graphqlHttp() with automatic persisted queries', { documents: 'automatic' }, {}],
  ['yoga() with automatic persisted queries', { runtime: yoga(), documents: 'automatic' }, {}],
] as const satisfies Cases;

/** The audits of one server run at once: without a limit, `fetch` opens a connection for each of their requests. */
const agent = new Agent({ keepAlive: true, maxSockets: 4 });

/** `fetch` over few connections, and without headers of its own. An audit takes a third less. */
function fetchSparingly(
  url: string | URL,
  { method = 'GET', headers = {}, body }: AuditRequest = {},
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (answer) => {
      answer.toArray().then((parts: Buffer[]) => {
        const { statusCode: status = 0, headers: received } = answer;
        const init = { status, headers: received as Record<string, string> };
        resolve(new Response(Buffer.concat(parts), init));
      }, reject);
    });
    sent.once('error', reject).end(body);
  });
}

interface AuditRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

describe.each(platforms)('the audit of GraphQL over HTTP on $name', (platform) => {
  async function audit(options: Partial<GraphqlMountOptions>, app: object) {
    const { url } = await serve(
      { imports: [GraphqlMountModule.forRoot({ ...hello, ...options })] },
      platform,
      undefined,
      app,
    );
    const results = await auditServer({ url: `${url}/graphql`, fetchFn: fetchSparingly });
    expect(results).toHaveLength(61);
    const found = results.filter(({ status }) => status !== 'ok');
    const intended = options.runtime?.library === 'graphql-yoga' ? [] : INTENDED;
    const isIntended = ({ id }: { id: string }) => intended.some(([known]) => known === id);
    const named = found.filter(isIntended).map(({ id, name }) => [id, name]);
    expect(named.toSorted()).toEqual(intended);
    return found.filter((each) => !isIntended(each));
  }

  it.each([...runtimes, ...withOptions])(
    'finds nothing but intended differences at %s',
    async (_, options, app) => {
      expect(await audit(options, app)).toEqual([]);
    },
  );

  describe('in production', () => {
    const before = process.env['NODE_ENV'];

    beforeEach(() => {
      process.env['NODE_ENV'] = 'production';
    });
    afterEach(() => {
      process.env['NODE_ENV'] = before;
    });

    it.each(runtimes)('finds nothing else at %s with introspection', async (_, options, app) => {
      expect(await audit({ ...options, introspection: true }, app)).toEqual([]);
    });

    it.each(runtimes)('finds the four queries of __type besides at %s', async (_, options, app) => {
      const found = await audit(options, app);
      expect(found.map(({ id }) => id)).toEqual(OF_TYPE);
      for (const { name } of found) expect(name).toContain('{variables} parameter');
    });
  });
});
