import { afterEach, describe, expect, it } from '@jest/globals';
import {
  DocumentManifestError,
  GraphqlMountModule,
  type GraphqlMountOptions,
  GraphqlOptionError,
  GraphqlSubscriptionsModule,
  getGraphqlAdapterToken,
  type GraphqlAdapter,
  StaleDocumentsError,
} from '@fledge/graphql';
import { yoga } from '@fledge/graphql/yoga';
import { pathToFileURL } from 'node:url';
import { Logger } from '@nestjs/common';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { apolloManifestOf, manifestOf, persisted, sha256, written } from './support/documents.js';
import { feed } from './support/feed.js';
import { call } from './support/requests.js';
import { hangUp, Wire } from './support/sockets.js';

afterEach(async () => {
  hangUp();
  await closeAll();
});

const HELLO = 'query Hello { hello }';
const NAMED = 'query Header($name: String!) { header(name: $name) }';
const SHOUT = 'mutation Shout { shout }';
const COUNT = 'subscription Count { count(to: 2) }';
const manifest = manifestOf(HELLO, NAMED, SHOUT, COUNT);
const TRUSTED = { documents: 'trusted', manifest } as const;

const runtimes = [
  ['graphqlHttp()', {}],
  ['graphqlHttp() as route', { mountAs: 'route' }],
  ['yoga()', { runtime: yoga() }],
] as const satisfies readonly (readonly [string, Partial<GraphqlMountOptions>])[];

describe.each(platforms)('trusted documents on $name', (platform) => {
  async function start(options: Partial<GraphqlMountOptions>) {
    const { schema } = feed();
    const { app, url } = await serve(
      { imports: [GraphqlMountModule.forRoot({ schema, ...options })] },
      platform,
    );
    const send = (body: object, headers: Record<string, string> = {}) =>
      call(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const get = (search: Record<string, string>) =>
      call(`${url}/graphql?${new URLSearchParams(search)}`);
    const counts = () =>
      app.get<GraphqlAdapter>(getGraphqlAdapterToken(), { strict: false }).introspect().metrics;
    return { url: `${url}/graphql`, send, get, counts };
  }

  describe.each(runtimes)('of %s', (_name, runtime) => {
    it('are executed by documentId and by the hash of Apollo, with GET and POST', async () => {
      const { send, get, counts } = await start({ ...runtime, ...TRUSTED });
      const world = { status: 200, body: { data: { hello: 'world' } } };
      const hash = sha256(HELLO);
      const extensions = persisted(HELLO);
      expect(await send({ documentId: hash })).toMatchObject(world);
      expect(await send({ documentId: `sha256:${hash}` })).toMatchObject(world);
      expect(await send({ extensions })).toMatchObject(world);
      // An Apollo client that sends the text as well: the document of the manifest is executed.
      expect(await send({ extensions, query: '{ hello user }' })).toMatchObject(world);
      expect(await get({ documentId: hash })).toMatchObject(world);
      expect(await get({ extensions: JSON.stringify(extensions) })).toMatchObject(world);
      const variables = { name: 'x-mine' };
      expect(
        (await send({ documentId: sha256(NAMED), variables }, { 'x-mine': 'yes' })).body,
      ).toEqual({ data: { header: 'yes' } });
      expect(counts()).toEqual({ queries: 7, mutations: 0, errors: 0 });
    });

    it('are the only ones: texts and unknown ids get 400', async () => {
      const { send, get, counts } = await start({ ...runtime, ...TRUSTED });
      const refused = [
        await send({ query: '{ hello }' }),
        await send({ query: HELLO }),
        await send({ query: '{ hello }', extensions: persisted('{ hello }') }),
        await send({ query: '{ hello }', documentId: '' }),
        await send({ query: '' }),
        await get({ query: '{ hello }' }),
      ];
      for (const { status, body } of refused) {
        expect(status).toBe(400);
        expect(body.errors).toMatchObject([{ extensions: { code: 'DOCUMENT_NOT_TRUSTED' } }]);
      }
      const unknown = [
        await send({ documentId: sha256('{ hello }') }),
        await send({ extensions: persisted('{ hello }') }),
        await send({ documentId: '__proto__' }),
        await get({ documentId: 'constructor' }),
      ];
      for (const { status, body } of unknown) {
        expect(status).toBe(400);
        expect(body.errors).toEqual([
          {
            message: 'PersistedQueryNotFound',
            extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
          },
        ]);
      }
      const odd = [await send({ documentId: 5 }), await send({ documentId: { a: 1 } })];
      for (const { status, body } of odd) {
        expect(status).toBe(400);
        expect(body.errors[0].message).not.toContain('server');
      }
      expect(counts()).toEqual({ queries: 0, mutations: 0, errors: 12 });
    });

    it('keep the other rules of HTTP', async () => {
      const { send, get } = await start({ ...runtime, ...TRUSTED });
      expect((await get({ documentId: sha256(SHOUT) })).status).toBe(405);
      const { body } = await send({ documentId: sha256(SHOUT) });
      expect(body).toEqual({ data: { shout: 'HI' } });
      const bad = await send({ documentId: sha256(HELLO), variables: 'none' });
      expect(bad.status).toBe('runtime' in runtime ? 400 : 422);
      const form = await call((await start({ ...runtime, ...TRUSTED })).url, {
        method: 'POST',
        body: new URLSearchParams({ documentId: sha256(SHOUT) }),
      });
      expect(form.status).toBe(415);
    });

    it('may stand beside the documents of clients', async () => {
      const { send } = await start({ ...runtime, manifest });
      const world = { data: { hello: 'world' } };
      expect((await send({ documentId: sha256(HELLO) })).body).toEqual(world);
      expect((await send({ query: '{ hello }' })).body).toEqual(world);
      // Apollo's clients send the text after this answer.
      const unknown = await send({ extensions: persisted('{ hello }') });
      expect(unknown.status).toBe(200);
      expect(unknown.body.errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
      const both = await send({ query: '{ hello }', extensions: persisted('{ hello }') });
      expect(both.body).toEqual(world);
    });
  });

  it.each([
    [
      'of a mount',
      (schema: GraphqlMountOptions['schema']) =>
        GraphqlMountModule.forRoot({
          schema: schema!,
          subscriptions: { operations: 'all' },
          ...TRUSTED,
        }),
    ],
    [
      'of a module',
      (schema: GraphqlMountOptions['schema']) =>
        GraphqlSubscriptionsModule.forRoot({
          schema: schema as never,
          operations: 'all',
          ...TRUSTED,
        }),
    ],
  ])('are the only ones on sockets %s', async (_name, module) => {
    const { url } = await serve({ imports: [module(feed().schema)] }, platform);
    const wire = await Wire.connect(`${url}/graphql`);
    // graphql-ws requires `query`.
    wire.subscribe('1', '', { documentId: sha256(COUNT) });
    expect(await wire.events('1', 2)).toEqual([{ count: 1 }, { count: 2 }]);
    wire.subscribe('2', '', { extensions: persisted(HELLO) });
    expect(await wire.events('2', 1)).toEqual([{ hello: 'world' }]);
    wire.subscribe('3', COUNT);
    wire.subscribe('4', '', { documentId: 'none' });
    wire.subscribe('5', '');
    const codeOf = async (id: string) => (await wire.answer(id)).payload[0].extensions.code;
    expect(await codeOf('3')).toBe('DOCUMENT_NOT_TRUSTED');
    expect(await codeOf('4')).toBe('PERSISTED_QUERY_NOT_FOUND');
    expect(await codeOf('5')).toBe('DOCUMENT_NOT_TRUSTED');
    // The socket stays open.
    wire.subscribe('6', '', { documentId: sha256(HELLO) });
    expect(await wire.events('6', 1)).toEqual([{ hello: 'world' }]);
  });

  it('are the only ones over the event streams of Yoga', async () => {
    const { get, url } = await start({ runtime: yoga(), ...TRUSTED });
    const ask = async (search: Record<string, string>) => {
      const headers = { accept: 'text/event-stream' };
      const response = await fetch(`${url}?${new URLSearchParams(search)}`, { headers });
      return response.text();
    };
    expect(await ask({ documentId: sha256(COUNT) })).toContain('"count":2');
    expect(await ask({ query: COUNT })).toContain('DOCUMENT_NOT_TRUSTED');
    expect((await get({ query: COUNT })).status).toBe(400);
  });

  it('are refused in a body that the application parsed as text', async () => {
    const { schema } = feed();
    const { url } = await serve(
      {
        imports: [GraphqlMountModule.forRoot({ schema, ...TRUSTED })],
      },
      platform,
      (app) =>
        app.use(
          (
            req: { body?: unknown; on: Function; readableEnded: boolean },
            _res: unknown,
            next: () => void,
          ) => {
            let text = '';
            if (req.body !== undefined) {
              req.body = JSON.stringify(req.body);
              return next();
            }
            req.on('data', (chunk: Buffer) => (text += chunk.toString()));
            req.on('end', () => {
              req.body = text;
              next();
            });
          },
        ),
      { bodyParser: false },
    );
    const send = (body: object) =>
      call(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await send({ query: '{ hello }' })).body.errors[0].extensions.code).toBe(
      'DOCUMENT_NOT_TRUSTED',
    );
    expect((await send({ documentId: sha256(HELLO) })).body).toEqual({ data: { hello: 'world' } });
  });
});

describe('the manifest', () => {
  const [platform] = platforms;
  const boot = (options: Partial<GraphqlMountOptions>) =>
    serve(
      { imports: [GraphqlMountModule.forRoot({ schema: feed().schema, ...options })] },
      platform!,
    );

  it.each([
    ['a file', async () => written(JSON.stringify(manifest))],
    ['a URL', async () => pathToFileURL(await written(JSON.stringify(manifest)))],
    ["Apollo's format", async () => apolloManifestOf(HELLO)],
    ["a file in Apollo's format", async () => written(JSON.stringify(apolloManifestOf(HELLO)))],
    ['a function', async () => () => Promise.resolve(manifest)],
    ['ids with the prefix sha256', async () => ({ [`sha256:${sha256(HELLO)}`]: HELLO })],
  ])('is %s', async (_name, make) => {
    const { url } = await boot({ documents: 'trusted', manifest: await make() });
    const answer = await call(`${url}/graphql?documentId=${sha256(HELLO)}`);
    expect(answer.body).toEqual({ data: { hello: 'world' } });
  });

  it.each([
    [
      'no file',
      async () => '/none/persisted-documents.json',
      /persisted-documents\.json cannot be used: ENOENT/,
    ],
    [
      'a function that throws',
      async () => () => Promise.reject(new Error('no registry.')),
      /in the result of the function `manifest` of GraphqlAdapter cannot be used: the function failed: no registry\. Use/,
    ],
    ['no JSON', async () => written('{'), /cannot be used: /],
    ['a list', async () => [] as never, /the manifest is not an object/],
    ['nothing', async () => () => undefined as never, /the manifest is not an object/],
    ['no texts', async () => ({ a: 1 }) as never, /the document "a" is not a string/],
    ['null', async () => ({ a: null }) as never, /the document "a" is not a string/],
    [
      'a later version of Apollo',
      async () => ({ ...apolloManifestOf(HELLO), version: 2 }) as never,
      /only version 1/,
    ],
    [
      'no operations',
      async () =>
        ({ format: 'apollo-persisted-query-manifest', version: 1, operations: [null] }) as never,
      /is not a string/,
    ],
    [
      'one id for two documents',
      async () => ({ 'sha256:a': HELLO, a: SHOUT }),
      /two documents have the id "a"/,
    ],
  ])('stops the boot if it is %s', async (_name, make, fault) => {
    const booted = boot({ documents: 'trusted', manifest: await make() });
    await expect(booted).rejects.toThrow(DocumentManifestError);
    await expect(booted).rejects.toThrow(fault);
  });

  it('stops the boot if the schema does not accept a document, and names each', async () => {
    const stale = { ...manifest, old: '{ removed }', broken: '{' };
    const booted = boot({ documents: 'trusted', manifest: stale });
    await expect(booted).rejects.toThrow(StaleDocumentsError);
    await expect(booted).rejects.toThrow(
      'GraphqlAdapter cannot serve 2 of the documents in its manifest: ' +
        '"old": Cannot query field "removed" on type "Query"; "broken": Syntax Error',
    );
  });

  it('applies the rules of the mount at boot', async () => {
    const long = `{ ${'hello '.repeat(20)} }`;
    await expect(boot({ manifest: { long }, maxTokens: 10 })).rejects.toThrow(/10 tokens/);
  });

  it('starts with a warning on request, and refuses the document that the schema does not accept', async () => {
    const warnings: unknown[] = [];
    Logger.overrideLogger({
      warn: (text: unknown) => void warnings.push(text),
      log: () => undefined,
      error: () => undefined,
    });
    const { schema } = feed();
    const { url } = await serve(
      {
        imports: [
          GraphqlMountModule.forRoot({
            schema,
            documents: 'trusted',
            manifest: { ...manifest, old: '{ removed }' },
            onStaleDocument: 'warn',
          }),
        ],
      },
      platform!,
      undefined,
      { logger: undefined as never },
    );
    Logger.overrideLogger(false);
    expect(warnings).toEqual([
      expect.stringContaining(
        '"old": Cannot query field "removed" on type "Query". Fix the schema,',
      ),
    ]);
    const old = await call(`${url}/graphql?documentId=old`);
    expect(old.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    const hello = await call(`${url}/graphql?documentId=${sha256(HELLO)}`);
    expect(hello.body).toEqual({ data: { hello: 'world' } });
  });

  it.each([
    [{ documents: 'trusted' }, /there is no manifest/],
    [{ onStaleDocument: 'warn' }, /`onStaleDocument` is 'warn', but there is no manifest/],
    [{ documents: 'safe' }, /must be 'trusted' or 'automatic'/],
    [{ manifest, onStaleDocument: 'ignore' }, /must be 'throw' or 'warn'/],
    [{ manifest, runtime: () => () => undefined }, /its runtime cannot find documents by id/],
  ])('is checked with the other options: %j', async (options, fault) => {
    const booted = boot(options as Partial<GraphqlMountOptions>);
    await expect(booted).rejects.toThrow(GraphqlOptionError);
    await expect(booted).rejects.toThrow(fault);
  });
});

describe('a request with a hash to a mount without documents', () => {
  it.each(runtimes)(
    'gets the code that makes clients send the text: %s',
    async (_name, runtime) => {
      const { url } = await serve(
        { imports: [GraphqlMountModule.forRoot({ schema: feed().schema, ...runtime })] },
        platforms[0]!,
      );
      const extensions = JSON.stringify(persisted('{ hello }'));
      const { status, body } = await call(`${url}/graphql?${new URLSearchParams({ extensions })}`);
      expect(status).toBe(200);
      expect(body.errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_SUPPORTED');
    },
  );
});
