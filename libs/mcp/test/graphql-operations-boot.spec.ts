// Faults in GraphQL operations stop the boot, and name their place and cure.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import {
  DuplicateToolError,
  GraphqlEndpointError,
  GraphqlOperationError,
  McpError,
  McpModule,
  McpOptionError,
  McpTool,
  ToolNameError,
  ToolSchemaError,
} from '@fledge/mcp';
import { graphqlOperations } from '@fledge/mcp/graphql';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { apollo, files, TasksResolver } from './graphql-operations/resolvers.js';
import { type AppSetup, startApp } from './support/app.js';

type Options = Parameters<typeof graphqlOperations>[0];

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fledge-operations-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The error of an application whose folder has these files. */
async function fault(
  texts: Readonly<Record<string, string>>,
  options: Partial<Options> = {},
  { mcp, ...setup }: AppSetup = {},
): Promise<McpError> {
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  const started = startApp(new ExpressAdapter(), {
    imports: [apollo()],
    providers: [TasksResolver],
    mcp: { toolSources: [graphqlOperations({ files: folder, ...options })], ...mcp },
    ...setup,
  });
  const error: unknown = await started.then(
    ({ close }) => close(),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(McpError);
  return error as McpError;
}

/** A file as messages name it. */
function at(place: string): string {
  return relative(process.cwd(), join(folder, place));
}

describe('the boot fails for an operation', () => {
  it.each<[string, string, string, Partial<Options>?]>([
    ['that does not parse', '{ me', 'a.graphql:1:5: Syntax Error: Expected Name, found <EOF>.'],
    [
      'with an unknown field',
      'query A {\n  me\n  mee\n}',
      'a.graphql:3:3: Cannot query field "mee" on type "Query".',
    ],
    ['with an unknown fragment', 'query A { ...Lost }', 'a.graphql:1:14: Unknown fragment "Lost".'],
    [
      'with a variable of another type',
      'query A($p: Int!) { tasks(project: $p, first: 1) { id } }',
      'a.graphql:1:9: Variable "$p" of type "Int!" used in position expecting type "ID!".',
    ],
    [
      'with an unused variable',
      'query A($p: Int!) { me }',
      'a.graphql:1:9: Variable "$p" is never used in operation "A".',
    ],
    [
      'that is a subscription',
      '\nsubscription A { me }',
      'a.graphql:2:1: a subscription cannot become a tool, because it streams events. Remove the ' +
        'subscription, or set graphqlOperations({ operations: { A: { hidden: true } } }).',
    ],
    [
      'that is too deep',
      'query A { tasks(project: 1, first: 1) { comments(first: 1) { text } } }',
      'a.graphql:1:1: the fields are nested 3 levels deep, but limits.depth is 2.',
      { limits: { depth: 2 } },
    ],
    [
      'that is too long',
      'query A { me broken }',
      'a.graphql:1:1: the operation has more tokens than limits.tokens (5).',
      { limits: { tokens: 5 } },
    ],
    [
      'that costs too much with each variable',
      'query A { tasks(project: 1, first: 100) { id } }',
      'a.graphql:1:1: a call costs at least 101, but limits.cost is 100.',
      { limits: { cost: 100 } },
    ],
  ])('%s', async (...[, text, message, options]) => {
    const error = await fault({ 'a.graphql': text }, options);
    expect(error).toBeInstanceOf(GraphqlOperationError);
    expect(error.code).toBe('MCP_BAD_GRAPHQL_OPERATION');
    // Suggestions of graphql-js may follow.
    expect(error.message.replace(/ Did you mean.*$/, '')).toBe(at(message));
  });

  it('names all faults, in fragments too', async () => {
    const error = await fault({
      'a.graphql': 'query A { me { x } }',
      'b.graphql': 'query B { tasks(project: 1, first: 1) { ...F } }',
      'f.graphql': '\nfragment F on Task { lost }',
    });
    expect(error.message.split('\n')).toEqual([
      '2 problems in GraphQL operations:',
      `- ${at('a.graphql:1:14')}: Field "me" must not have a selection since type "String" has no subfields.`,
      `- ${at('f.graphql:2:22')}: Cannot query field "lost" on type "Task".`,
    ]);
  });

  it('whose name is too long for a tool', async () => {
    const error = await fault({ 'a.graphql': `query ${'A'.repeat(65)} { me }` });
    expect(error).toBeInstanceOf(ToolNameError);
    expect(error.message).toContain(at('a.graphql:1:1'));
  });

  it('whose file name is no name for a tool', async () => {
    expect(await fault({ 'a b.graphql': '{ me }' })).toBeInstanceOf(ToolNameError);
  });

  it('whose name a route has', async () => {
    @Controller('a')
    class A {
      @Get()
      @McpTool({ description: 'A', name: 'Me' })
      a(): void {}
    }
    const error = await fault({ 'a.graphql': 'query Me { me }' }, {}, { controllers: [A] });
    expect(error).toBeInstanceOf(DuplicateToolError);
    expect(error.message).toContain(`is declared by A.a and by ${at('a.graphql:1:1')}`);
  });

  it('whose name another operation has', async () => {
    const text = 'query Me { me }';
    const error = await fault({ 'a.graphql': text, 'b.graphql': text });
    expect(error.message).toContain(`by ${at('a.graphql:1:1')} and by ${at('b.graphql:1:1')}`);
  });
});

describe('the boot fails without one endpoint', () => {
  const text = { 'a.graphql': '{ me }' };

  it.each<[string, Partial<Options>, AppSetup['imports'], string]>([
    ['of none', {}, [], 'found no GraphQL endpoint in the application. Import GraphqlMountModule'],
    [
      'of another path',
      { path: '/gql' },
      undefined,
      "({ path: '/gql' }) does not match a GraphQL endpoint of the application. The endpoints are: /graphql.",
    ],
    [
      'of two',
      {},
      [apollo(), apollo({ path: '/b' })],
      'has GraphQL endpoints at /graphql, /b. Select the endpoint that executes the operations',
    ],
  ])('%s', async (_, options, imports, message) => {
    const error = await fault(text, options, imports && { imports });
    expect(error).toBeInstanceOf(GraphqlEndpointError);
    expect(error.message).toContain(message);
  });
});

describe('the boot fails for an option', () => {
  it.each<[string, Partial<Options>, string]>([
    [
      'an unknown operation',
      { operations: { B: {} } },
      '{ operations: { B } }) contains an unknown operation. The operations are: A.',
    ],
    [
      'an unknown scalar',
      { scalars: { Datetime: {} } },
      '{ scalars: { Datetime } }) sets a scalar',
    ],
    [
      'a schema that is none',
      { schema: 'type Query {' },
      '({ schema }) is not a valid schema: Syntax Error',
    ],
    [
      'a schema without queries',
      { schema: 'type A { a: Int }' },
      'Query root type must be provided',
    ],
    [
      'a folder without files',
      { files: 'libs/mcp/docs' },
      'contains "libs/mcp/docs", but no .graphql file in ',
    ],
  ])('%s', async (_, options, message) => {
    const error = await fault({ 'a.graphql': 'query A { me }' }, options);
    expect(error).toBeInstanceOf(McpOptionError);
    expect(error.message).toContain(message);
  });

  it.each([
    ['pasword', 'contains the argument "pasword", which does not exist. The arguments are: input.'],
    ['input.titel', 'contains "input.titel", but "input" has only these properties: title, '],
  ])('a misspelled name in redact: %s', async (name, message) => {
    const text = 'mutation A($input: CreateTaskInput!) { createTask(input: $input) { id } }';
    const operations = { A: { redact: [name] } };
    const error = await fault({ 'a.graphql': text }, { operations, mutations: 'all' });
    expect(error).toBeInstanceOf(ToolSchemaError);
    expect(error.message).toContain(`${at('a.graphql:1:1')}: the option \`redact\` ${message}`);
  });

  it.each<[object | undefined, string]>([
    [undefined, 'graphqlOperations() is undefined, but must be an object with files'],
    [{}, '({ files }) is undefined, but must be a file'],
    [{ files: [] }, 'list, but must be a file'],
    [{ files, mutation: 'all' }, '({ mutation }) is not an option. Did you mean mutations?'],
    [
      { files, mutations: true },
      "({ mutations }) is true, but must be 'none', 'explicit' or 'all'",
    ],
    [
      { files, path: 'graphql' },
      '({ path }) is "graphql", but must be a path with a leading slash',
    ],
    [{ files, limits: { depth: 0 } }, '({ limits.depth }) is 0, but must be a whole number'],
    [{ files, limits: { dept: 1 } }, '({ limits.dept }) is not an option. Did you mean depth?'],
    [
      { files, operations: { A: { scope: [] } } },
      '({ operations.A.scope }) is not an option. Did you mean scopes?',
    ],
  ])('%j', (options, message) => {
    expect(() => graphqlOperations(options as never)).toThrow(McpOptionError);
    expect(() => graphqlOperations(options as never)).toThrow(message);
  });

  it.each([[{}], [[{}]], [[undefined]]])('toolSources: %j', async (toolSources) => {
    const error = await fault({}, { files }, { mcp: { toolSources: toolSources as never } });
    expect(error.message).toContain('({ toolSources }) is');
  });
});

it('an application context without HTTP has the tools', async () => {
  writeFileSync(join(folder, 'a.graphql'), 'query A { me }');
  @Module({
    imports: [
      McpModule.forRoot({
        name: 'spec',
        toolSources: [graphqlOperations({ files: folder, schema: 'type Query { me: String }' })],
      }),
    ],
  })
  class AppModule {}
  const context = await NestFactory.createApplicationContext(AppModule, {
    logger: false,
    abortOnError: false,
  });
  await context.close();
});
