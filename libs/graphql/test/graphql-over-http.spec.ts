// What GraphQL over HTTP demands of servers, a check for each MUST and SHOULD, with its section. Text:
// graphql/graphql-over-http, spec/GraphQLOverHTTP.md at e1e46e7 (2026-08-06), the last one before the first release
// (September 2026). Left to Node.js: 408 and 431; it has no limit of its own for the URL, so 414 is 431.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  ServiceUnavailableException,
  UnauthorizedException,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { graphqlHttp, GraphqlMountModule } from '@fledge/graphql';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';

const GRAPHQL = 'application/graphql-response+json';
const JSON_TYPE = 'application/json';
const GRAPHQL_UTF_8 = `${GRAPHQL}; charset=utf-8`;
const JSON_UTF_8 = `${JSON_TYPE}; charset=utf-8`;

const went = { executed: 0 };
const schema = {
  typeDefs: `
    type Query { hello(name: String): String, twice(n: Int!): Int, fails: String, hard: Int! }
    type Mutation { go: Int }
  `,
  rootValue: {
    hello: ({ name = 'world' }) => name,
    twice: ({ n }: { n: number }) => {
      went.executed += 1;
      return n * 2;
    },
    fails: () => {
      throw new Error('no');
    },
    hard: () => {
      throw new Error('no');
    },
    go: () => (went.executed += 1),
  },
};

/** Refuses requests without a token, as an application does. */
@Injectable()
class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
    if (headers['x-load'] === 'too high') throw new ServiceUnavailableException();
    if (headers['authorization'] === undefined) throw new UnauthorizedException();
    return headers['authorization'] === 'Bearer good';
  }
}

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly search?: Record<string, string>;
  /** Sent as JSON, unless it is text. */
  readonly body?: unknown;
}

/** Sends exactly these headers: `fetch` adds some. */
function send(url: string, { method = 'POST', headers = {}, search, body }: Sent) {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const query = search === undefined ? '' : `?${new URLSearchParams(search)}`;
  return new Promise<Answer>((resolve, reject) => {
    const sent = request(url + query, { method, headers, agent: false }, (response) => {
      response.toArray().then((parts: Buffer[]) => {
        const received = Buffer.concat(parts).toString();
        const { statusCode: status = 0, headers: of } = response;
        const type = of['content-type'];
        const isJson = type?.includes('json') && received !== '';
        resolve({ status, type, headers: of, body: isJson ? JSON.parse(received) : received });
      }, reject);
    });
    sent.once('error', reject).end(text);
  });
}

interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any -- tests expect different shapes
}

const HELLO = { query: '{ hello }' };
const WORLD = { data: { hello: 'world' } };

describe.each(platforms)('a server of GraphQL over HTTP on $name', (platform) => {
  let url: string;
  let exact: string;
  let guarded: string;

  beforeAll(async () => {
    const mount = (more: object = {}) => GraphqlMountModule.forRoot({ ...schema, ...more });
    ({ url } = await serve(
      {
        imports: [
          mount(),
          mount({
            name: 'Exact',
            path: '/exact',
            runtime: graphqlHttp({ jsonStatus: 'exact' }),
          }),
        ],
      },
      platform,
    ));
    exact = `${url}/exact`;
    url += '/graphql';
    const route = mount({ mountAs: 'route' });
    const guard = { provide: APP_GUARD, useClass: TokenGuard };
    guarded = `${(await serve({ imports: [route], providers: [guard] }, platform)).url}/graphql`;
  });
  afterAll(closeAll);

  /** Sends an operation. The client accepts the GraphQL media type. */
  const ask = (body: unknown, headers: Record<string, string> = {}, to = url) =>
    send(to, { headers: { accept: GRAPHQL, 'content-type': JSON_TYPE, ...headers }, body });
  const get = (search: Record<string, string>, accept = GRAPHQL) =>
    send(url, { method: 'GET', headers: { accept }, search });
  const accepting = (accept: string, body: unknown = HELLO, to = url) => ask(body, { accept }, to);
  /** What clients that accept JSON only get with the default of `jsonStatus`. */
  const legacy = (body: unknown) => accepting(JSON_TYPE, body);

  describe('URL', () => {
    it('MUST serve queries and mutations of a schema by one URL', async () => {
      expect((await ask(HELLO)).body).toEqual(WORLD);
      expect((await ask({ query: 'mutation { go }' })).body.data.go).toBeGreaterThan(0);
    });

    it('SHOULD forbid requests by 4xx or 5xx, whatever a well-formed request contains', async () => {
      for (const query of ['{ hello }', '{ unknown }', 'mutation { go }']) {
        const by = async (headers: Record<string, string>) =>
          (await ask({ query }, headers, guarded)).status;
        expect(await by({})).toBe(401);
        expect(await by({ authorization: 'Bearer bad' })).toBe(403);
        expect(await by({ 'x-load': 'too high' })).toBe(503);
      }
      expect((await ask(HELLO, { authorization: 'Bearer good' }, guarded)).body).toEqual(WORLD);
    });
  });

  describe('Serialization Format, Media Types', () => {
    it('MUST support JSON', async () => {
      expect((await legacy(HELLO)).body).toEqual(WORLD);
    });

    it('MUST assume UTF-8 where no encoding is named', async () => {
      const body = { query: '{ hello(name: "grün 日本") }' };
      for (const type of [
        JSON_TYPE,
        `${JSON_TYPE}; charset=utf-8`,
        'Application/JSON;charset=UTF-8',
      ]) {
        expect((await ask(body, { 'content-type': type })).body).toEqual({
          data: { hello: 'grün 日本' },
        });
      }
    });
  });

  describe('Request', () => {
    it('MUST accept POST', async () => {
      expect((await ask(HELLO)).status).toBe(200);
    });

    it('MUST accept well-formed parameters by GET, empty ones as none', async () => {
      expect((await get({ query: '{ hello }' })).body).toEqual(WORLD);
      const empty = { operationName: '', variables: '', extensions: '' };
      expect((await get({ query: '{ hello }', ...empty })).body).toEqual(WORLD);
      const named = {
        query: 'query A($n: Int!) { twice(n: $n) } query B { hello }',
        operationName: 'A',
        variables: '{"n":2}',
        extensions: '{}',
      };
      expect((await get(named)).body).toEqual({ data: { twice: 4 } });
      // A name, not null.
      expect((await get({ query: '{ hello }', operationName: 'null' })).status).toBe(422);
    });

    it('MUST NOT execute mutations by GET: 4xx, RECOMMENDED 405, with Allow', async () => {
      const before = went.executed;
      for (const accept of [GRAPHQL, JSON_TYPE]) {
        const { status, headers, body } = await get({ query: 'mutation { go }' }, accept);
        expect([status, headers['allow']]).toEqual([405, 'POST']);
        expect(Object.keys(body)).toEqual(['errors']);
      }
      expect(went.executed).toBe(before);
    });

    it('SHOULD reject a POST without Content-Type by 4xx', async () => {
      const { status } = await send(url, { headers: { accept: GRAPHQL }, body: HELLO });
      expect(status).toBe(415);
    });

    it('MUST ignore properties that it does not understand', async () => {
      expect((await ask({ ...HELLO, foo: 1, data: null })).body).toEqual(WORLD);
    });

    it('MUST treat null as a parameter that is left out', async () => {
      const body = { ...HELLO, variables: null, operationName: null, extensions: null };
      expect((await ask(body)).body).toEqual(WORLD);
      expect((await ask({ ...HELLO, operationName: '' })).body).toEqual(WORLD);
    });
  });

  describe('Response, Body', () => {
    it('MUST send Content-Type, and SHOULD name the encoding', async () => {
      expect((await ask(HELLO)).type).toBe(GRAPHQL_UTF_8);
      expect((await legacy(HELLO)).type).toBe(JSON_UTF_8);
      expect((await ask({ query: '{' })).type).toBe(GRAPHQL_UTF_8);
    });

    it.each([
      [GRAPHQL, GRAPHQL],
      [JSON_TYPE, JSON_TYPE],
      [`${GRAPHQL}, ${JSON_TYPE};q=0.9`, GRAPHQL],
      [`${JSON_TYPE};q=0.9, ${GRAPHQL}`, GRAPHQL],
      [`${JSON_TYPE}, ${GRAPHQL};q=0.5`, JSON_TYPE],
      [`${GRAPHQL};q=0.5, ${JSON_TYPE}`, JSON_TYPE],
      [`${GRAPHQL}, ${JSON_TYPE}`, GRAPHQL],
      [`${JSON_TYPE}, ${GRAPHQL}`, JSON_TYPE],
      [`${GRAPHQL};q=0, ${JSON_TYPE}`, JSON_TYPE],
      [`${JSON_TYPE};q=0, */*`, GRAPHQL],
      [`${GRAPHQL}; charset=utf-8`, GRAPHQL],
      [`text/html, ${GRAPHQL};q=0.1`, GRAPHQL],
      ['*/*', JSON_TYPE],
      ['application/*', JSON_TYPE],
      [`*/*, ${GRAPHQL}`, GRAPHQL],
      ['text/html, */*;q=0.1', JSON_TYPE],
      [GRAPHQL.toUpperCase(), GRAPHQL],
    ])('MUST respect Accept: %s', async (accept, type) => {
      const answer = await accepting(accept);
      expect([answer.status, answer.type]).toEqual([200, `${type}; charset=utf-8`]);
    });

    it.each(['text/html', 'application/xml', 'application/json;q=0', 'x'])(
      'SHOULD answer 406 to Accept: %s',
      async (accept) => {
        const { status, type } = await accepting(accept);
        expect(status).toBe(406);
        expect(type).not.toContain(GRAPHQL);
      },
    );

    it('MUST comply with RFC 9110: HEAD is GET without a body, caches keep types apart', async () => {
      const headers = { accept: GRAPHQL };
      const asked = { headers, search: { query: '{ hello }' } };
      const head = await send(url, { method: 'HEAD', ...asked });
      const got = await send(url, { method: 'GET', ...asked });
      expect([head.status, head.type, head.body]).toEqual([200, GRAPHQL_UTF_8, '']);
      expect(head.headers['vary']).toMatch(/^accept$/i);
      expect(got.headers['vary']).toMatch(/^accept$/i);
      expect((await send(url, { method: 'HEAD', headers, search: { query: '{' } })).status).toBe(
        400,
      );
    });
  });

  describe('Response, legacy clients', () => {
    const failing = [
      [{ query: '{' }, 400],
      [{ query: '{ unknown }' }, 422],
      [{ query: 'query A { hello } query B { hello }' }, 422],
      [{ query: 'query ($n: Int!) { twice(n: $n) }', variables: { n: 'x' } }, 422],
      [{ qeury: '{ hello }' }, 422],
    ] as const;

    it("SHOULD answer them as others, but 2xx with JSON: jsonStatus: 'exact'", async () => {
      for (const [body, status] of failing) {
        const answer = await accepting(JSON_TYPE, body, exact);
        expect([answer.status, answer.type]).toEqual([status, GRAPHQL_UTF_8]);
      }
      const good = await accepting(JSON_TYPE, HELLO, exact);
      expect([good.status, good.type]).toEqual([200, JSON_UTF_8]);
      // 294 is for the GraphQL media type only ("Partial success").
      const partial = await accepting(JSON_TYPE, { query: '{ hello fails }' }, exact);
      expect([partial.status, partial.type]).toEqual([200, JSON_UTF_8]);
    });

    it('get 200 for a well-formed request by default, which is an intended difference', async () => {
      for (const [body] of failing.slice(0, -1)) {
        const { status, type, body: answer } = await legacy(body);
        expect([status, type]).toEqual([200, JSON_UTF_8]);
        expect(Object.keys(answer)).toEqual(['errors']);
      }
      const malformed = await legacy({ qeury: '{ hello }' });
      expect([malformed.status, malformed.type]).toEqual([422, JSON_UTF_8]);
    });
  });

  describe('Validation', () => {
    it.each([
      '{ unknown }',
      '{ hello { x } }',
      '{ hello(nam: "x") }',
      '{ hello(name: 1) }',
      'query ($a: Int) { hello }',
      '{ ...missing }',
      'query A { hello } query A { hello }',
      '{ hello @nothing }',
      '{ twice }',
    ])('SHOULD apply the rules of GraphQL: %s', async (query) => {
      const { status, body } = await ask({ query });
      expect([status, Object.keys(body)]).toEqual([422, ['errors']]);
    });
  });

  describe('Status Codes', () => {
    it('MUST be 2xx with data, SHOULD be 200 without errors', async () => {
      const { status, body } = await ask(HELLO);
      expect([status, body]).toEqual([200, WORLD]);
    });

    it('SHOULD be 294 with data and errors, also if data is null', async () => {
      for (const [query, data] of [
        ['{ hello fails }', { hello: 'world', fails: null }],
        ['{ hard }', null],
      ] as const) {
        const { status, type, body } = await ask({ query });
        expect([status, type, body.data]).toEqual([294, GRAPHQL_UTF_8, data]);
        expect(body.errors).toHaveLength(1);
      }
    });

    it('SHOULD be 405 for an unsupported method, and MUST have Allow', async () => {
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const { status, headers } = await send(url, { method, headers: { accept: GRAPHQL } });
        expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, POST']);
      }
    });

    it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/graphql', 'x'])(
      'SHOULD be 415 for Content-Type: %s',
      async (type) => {
        const { status, headers } = await ask('query={hello}', { 'content-type': type });
        expect([status, headers['accept']]).toEqual([415, JSON_TYPE]);
      },
    );

    it('has codes, and messages that name the fault', async () => {
      const errorOf = ({ body }: Answer) => {
        const { message, extensions } = body.errors[0];
        return `${message}: ${extensions.code}`;
      };
      expect(errorOf(await send(url, { method: 'PUT', headers: {} }))).toBe(
        'The method PUT is not supported: METHOD_NOT_ALLOWED',
      );
      expect(errorOf(await ask('x', { 'content-type': 'x' }))).toBe(
        'Send an application/json body in UTF-8: UNSUPPORTED_MEDIA_TYPE',
      );
      expect(errorOf(await get({ query: '{ hello }', variables: '{' }))).toBe(
        'The parameter "variables" is not valid JSON: BAD_REQUEST',
      );
      expect(errorOf(await get({ query: '{ hello }', operationName: 'B' }))).toBe(
        'The document has no operation named "B": OPERATION_RESOLUTION_FAILURE',
      );
      expect(errorOf(await get({ query: 'mutation { go }' }))).toBe(
        'Cannot perform mutations over GET: METHOD_NOT_ALLOWED',
      );
    });

    it('SHOULD be 413 for a body that is too large', async () => {
      const { status } = await ask({ query: `{ hello(name: "${'x'.repeat(1_500_000)}") }` });
      expect(status).toBe(413);
    });

    it('SHOULD be 431 for headers that are too large, also for the URL', async () => {
      expect((await ask(HELLO, { 'x-large': 'x'.repeat(20_000) })).status).toBe(431);
      expect((await get({ query: `{ hello(name: "${'x'.repeat(20_000)}") }` })).status).toBe(431);
    });

    it.each(['NONSENSE', '{"query":', '', '{"query":"{ hello }"}}'])(
      'SHOULD be 400 for a body that is not JSON: %j',
      async (body) => {
        expect((await ask(body)).status).toBe(400);
      },
    );

    it.each(['{', '{"a":'])(
      'SHOULD be 400 for variables in a URL that are not JSON: %s',
      async (variables) => {
        expect((await get({ query: '{ hello }', variables })).status).toBe(400);
      },
    );

    it.each([
      { qeury: '{ __typename }' },
      {},
      [],
      [HELLO],
      { query: 7 },
      { query: null },
      { query: ['{ hello }'] },
      { ...HELLO, variables: [7] },
      { ...HELLO, variables: 'x' },
      { ...HELLO, operationName: 7 },
      { ...HELLO, extensions: [] },
    ])('SHOULD be 422 for a request that is not well-formed: %j', async (body) => {
      const { status, type, body: answer } = await ask(body);
      expect([status, type]).toEqual([422, GRAPHQL_UTF_8]);
      expect(answer.errors).toHaveLength(1);
    });

    it('SHOULD be 422 for a URL without a query', async () => {
      expect((await get({})).status).toBe(422);
      expect((await get({ query: '{ hello }', variables: '[7]' })).status).toBe(422);
    });

    it('SHOULD be 400 for a document that cannot be parsed', async () => {
      for (const query of ['{', '', 'hello', '{ hello }}']) {
        expect((await ask({ query })).status).toBe(400);
      }
    });

    it('SHOULD be 422 for an operation that cannot be determined, without execution', async () => {
      const before = went.executed;
      const two = 'query A { twice(n: 1) } query B { twice(n: 1) }';
      expect((await ask({ query: two })).status).toBe(422);
      expect((await ask({ query: two, operationName: 'C' })).status).toBe(422);
      expect((await ask({ query: 'fragment F on Query { hello }' })).status).toBe(422);
      expect(went.executed).toBe(before);
    });

    it('SHOULD be 422 for variables that cannot be coerced, without execution', async () => {
      const before = went.executed;
      const query = 'query ($n: Int!) { twice(n: $n) }';
      for (const variables of [{}, { n: null }, { n: 'x' }, undefined]) {
        const { status, type, body } = await ask({ query, variables });
        expect([status, type, Object.keys(body)]).toEqual([422, GRAPHQL_UTF_8, ['errors']]);
      }
      expect(went.executed).toBe(before);
    });

    it('MUST be 4xx or 5xx without data, but for an unknown persisted query, which has 200', async () => {
      const extensions = { persistedQuery: { version: 1, sha256Hash: 'unknown' } };
      const { status, type, headers } = await ask({ extensions });
      // A request of Apollo's protocol has no `query`. Apollo iOS sends the text after 2xx only.
      expect([status, type, headers['cache-control']]).toEqual([200, GRAPHQL_UTF_8, 'no-store']);
    });

    it('MUST NOT use the GraphQL media type without a GraphQL response', async () => {
      const answers = [
        await ask('NONSENSE'),
        await accepting('text/html'),
        await send(url, { method: 'PUT', headers: { accept: GRAPHQL } }),
      ];
      for (const { type, body } of answers) {
        if (type === GRAPHQL_UTF_8) expect(body.errors).toHaveLength(1);
      }
    });
  });
});
