// The errors an application gets when it is set up wrongly, against the packed libs. Programs that Nest refuses share a
// process. Those that Node.js cannot load, and those that load something twice, have one of their own.
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { type Consumer, consumer } from '../support/consumer.js';
import { type Ended, run, succeed } from '../support/ended.js';
import { root } from '../support/snippets.js';

let app: Consumer;
let programs = 0;

beforeAll(() => {
  app = consumer('required');
  for (const name of ['@nestjs/platform-express', 'class-validator', 'class-transformer'])
    app.install(name);
  // One of the programs runs without it. The others do not need it.
  app.uninstall('@modelcontextprotocol/client');
  const runner = join(root, 'test/support/packed/run-programs.mjs');
  const files = shared.map(([program, options]) => compile(program, options));
  const said = succeed(process.execPath, [runner, ...files]);
  ends = JSON.parse(said.split('\n').at(-1) as string) as string[];
  app.install('@modelcontextprotocol/client');
});

/** Compiles a program as tsc does, without looking at its types. Returns its path. */
function compile(program: string, options: ts.CompilerOptions = {}, { folder } = app): string {
  const { outputText } = ts.transpileModule(program, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      ...options,
    },
  });
  const file = join(folder, `program-${(programs += 1)}.mjs`);
  writeFileSync(file, outputText);
  return file;
}

/** Runs a program in a process of its own. */
const runAlone = (program: string, flags: string[] = [], place = app): Ended =>
  run(process.execPath, [...flags, compile(program, {}, place)]);

/** Programs that share a process, and how they ended. */
const shared: (readonly [program: string, options?: ts.CompilerOptions])[] = [];
let ends: readonly string[];

/**
 * Adds a program to those that run in one process, one after the other.
 * @returns reads its error, or `'ran'`
 */
function together(...program: (typeof shared)[number]): () => string {
  const at = shared.push(program) - 1;
  return () => ends[at] as string;
}

/** Throws what Nest would print before it ends the process. */
const THROWING = `{ logger: ['error', 'fatal'], abortOnError: false }`;

/** Boots an application with these imports. */
function boot(imports: string, { controller = '', from = '', options = THROWING } = {}): string {
  return `
    import 'reflect-metadata';
    import { Body, Controller, Get, Global, Module, Post, Query } from '@nestjs/common';
    import { NestFactory } from '@nestjs/core';
    import { ContextModule, Ctx, defineHttpContextDecorator } from '@fledge/core';
    import { McpModule, McpTool } from '@fledge/mcp';
    import { QueryModule } from '@fledge/query/nest';
    import { TenantModule } from '@fledge/tenant';
    import { IsString } from 'class-validator';
    ${from}
    class CreateTaskDto { @IsString() title: string }
    ${controller || '@Controller() class Tasks {}'}
    const feature = (...imports) => { class Feature {} Module({ imports })(Feature); return Feature; };
    @Module({ imports: [${imports}], controllers: [Tasks] }) class AppModule {}
    const app = await NestFactory.create(AppModule, ${options});
    await app.listen(0, '127.0.0.1');
    await app.close();`;
}

interface Manifest {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Puts the files of a package where its link stands, so that its manifest can be another. */
function copyOf(place: Consumer, name: string) {
  const folder = join(place.folder, 'node_modules', name);
  const linked = realpathSync(folder);
  place.uninstall(name);
  cpSync(linked, folder, { recursive: true });
  const write = (manifest: Manifest): void =>
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  return { manifest: manifestIn(folder), write };
}

/** What a program printed that must not run to its end. */
function fault({ status, output }: Ended): string {
  expect({ status, output }).toMatchObject({ status: 1 });
  return output;
}

describe('a required peer that is not installed', () => {
  it.each([
    ['@nestjs/common', 'core'],
    ['@nestjs/core', 'core'],
    ['nestjs-cls', 'core'],
    ['reflect-metadata', 'core'],
    ['rxjs', 'core'],
    ['graphql', 'graphql'],
  ])('is named by Node.js, and so is its importer: %s', (peer, lib) => {
    app.uninstall(peer);
    try {
      expect(fault(runAlone(`import '@fledge/${lib}';`))).toMatch(
        new RegExp(`Cannot find package '${peer}' imported from .*/@fledge/${lib}/`),
      );
    } finally {
      app.install(peer);
    }
  });
});

describe('an optional peer that is not installed', () => {
  const importing = (entry: string, peer: string) => ({
    entry,
    peer,
    end: together(`import '@fledge/${entry}';`),
  });

  it.each([importing('query/drizzle', 'drizzle-orm'), importing('query/typeorm', 'typeorm')])(
    'is named with what installs it: @fledge/$entry',
    ({ entry, peer, end }) => {
      expect(end()).toContain(
        `@fledge/${entry} needs ${peer}, which is not installed. Run: npm install ${peer}`,
      );
    },
  );

  // Imported statically: a class of a second copy, as require() may give, would be another to Nest's injector.
  it.each([
    importing('query/kysely', 'kysely'),
    importing('query/mikro-orm', '@mikro-orm/core'),
    importing('core/loader', 'dataloader'),
    importing('tenant/bullmq', '@nestjs/bullmq'),
    importing('tenant/cache', '@nestjs/cache-manager'),
    importing('tenant/kysely', 'kysely'),
    importing('tenant/mikro-orm', '@mikro-orm/core'),
    importing('tenant/microservices', '@nestjs/microservices'),
    importing('tenant/rabbitmq', '@golevelup/nestjs-rabbitmq'),
    importing('tenant/throttler', '@nestjs/throttler'),
    importing('tenant/websockets', '@nestjs/websockets'),
  ])('is named by Node.js, and so is its importer: @fledge/$entry', ({ entry, peer, end }) => {
    const [lib] = entry.split('/');
    expect(end()).toMatch(
      new RegExp(`Cannot find package '${peer}' imported from .*/@fledge/${lib}/dist/`),
    );
  });

  const SCHEMA = `import { buildSchema } from 'graphql';
    import { GraphqlMountModule, GraphqlSubscriptionsModule } from '@fledge/graphql';
    import { GraphqlApolloModule } from '@fledge/graphql/apollo';
    import { yoga } from '@fledge/graphql/yoga';
    const schema = buildSchema('type Query { a: Int } type Subscription { b: Int }');`;
  const booting = (module: string, user: string, peer: string) => ({
    module,
    message: `${user} needs the package "${peer}", which is not installed: npm install ${peer}`,
    end: together(boot(module, { from: SCHEMA })),
  });

  it.each([
    booting('GraphqlMountModule.forRoot({ schema, runtime: yoga() })', 'yoga()', 'graphql-yoga'),
    booting('GraphqlSubscriptionsModule.forRoot({ schema })', 'A GraphQL WebSocket endpoint', 'ws'),
    booting('GraphqlApolloModule.forRoot({})', 'GraphqlApolloModule', '@nestjs/graphql'),
  ])('is named at boot with what installs it: $module', ({ message, end }) => {
    expect(end()).toContain(message);
  });

  const testing = together(
    boot(`McpModule.forRoot({ name: 'tasks' })`, {
      from: `import { createMcpTestClient } from '@fledge/mcp/testing';`,
    }).replace('await app.listen', 'await createMcpTestClient(app); await app.listen'),
  );

  it('is named where a test asks for the client of MCP', () => {
    expect(testing()).toContain(
      'createMcpTestClient() needs the package "@modelcontextprotocol/client", which is not ' +
        'installed: npm install @modelcontextprotocol/client',
    );
  });
});

describe('a version that does not fit', () => {
  let crowded: Consumer;

  beforeAll(() => {
    crowded = consumer('all');
  });

  // Only the manifest has that version. The real package was tried by hand.
  it.each([
    ['@nestjs/core', '10.4.22'],
    ['@nestjs/common', '13.0.0'],
    ['nestjs-cls', '5.4.3'],
  ])('is named with the one that does: %s %s', (name, version) => {
    const { manifest, write } = copyOf(crowded, name);
    write({ ...manifest, version });
    const range = manifestIn(join(crowded.folder, 'node_modules/@fledge/core')).peerDependencies[
      name
    ];
    expect(fault(runAlone(`import '@fledge/core';`, [], crowded))).toContain(
      `UnsupportedVersionError: @fledge/core needs ${name} ${range}, but ${version} is installed. ` +
        `Run "npm ls ${name}" to see what requires it, then: npm install "${name}@${range}"`,
    );
    write(manifest);
  });

  it.each(['18.20.8', '20.10.0', '20.18.3'])('is named: Node.js %s', (node) => {
    const posing = join(app.folder, 'older-node.mjs');
    writeFileSync(
      posing,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } });`,
    );
    expect(fault(runAlone(`import '@fledge/core';`, ['--import', posing]))).toContain(
      `@fledge/core needs Node.js >=20.19, but ${node} is running. Upgrade Node.js.`,
    );
  });
});

describe('two copies of core', () => {
  const nested = (): string => join(app.folder, 'node_modules/@fledge/mcp/node_modules');

  afterAll(() => rmSync(nested(), { recursive: true, force: true }));

  it.each(['0.0.9', '0.1.0'])('are named at boot, the second being %s', (version) => {
    const first = join(app.folder, 'node_modules/@fledge/core');
    const second = join(nested(), '@fledge/core');
    mkdirSync(second, { recursive: true });
    cpSync(first, second, { recursive: true });
    writeFileSync(join(second, 'package.json'), JSON.stringify({ ...manifestIn(first), version }));
    // The application imports no module of the first one, only its decorators.
    const controller = `@Controller() class Tasks { @Get() get(@Ctx() ctx) { return ctx.method } }`;
    const options = `{ logger: ['error', 'fatal'] }`;
    const program = boot(`McpModule.forRoot({ name: 'tasks' })`, { controller, options });
    const said = fault(runAlone(program));
    expect(said).toContain('DuplicateCopyError: 2 copies of @fledge/core are loaded: ');
    expect(said).toContain(`0.1.0 at ${first}`);
    expect(said).toContain(`${version} at ${second}`);
    expect(said).toContain('Run "npm ls @fledge/core"');
  });
});

describe('a module that is imported twice', () => {
  const twice = (name: string, options: string) => {
    const module = `${name}.forRoot(${options})`;
    return { name, end: together(boot(`${module}, feature(${module})`)) };
  };

  it.each([
    twice('McpModule', `{ name: 'tasks' }`),
    twice('TenantModule', `{ strategy: 'header' }`),
    twice('QueryModule', ''),
  ])('is named at boot: $name', ({ name, end }) => {
    expect(end()).toContain(
      `${name} is imported twice. Call ${name}.forRoot() once, in the root module; it is global, so ` +
        'other modules do not need to import it.',
    );
  });

  const context = together(
    boot(`ContextModule, feature(ContextModule), ContextModule.forRoot({ contributors: [] })`),
  );

  it('may be ContextModule', () => {
    expect(context()).toBe('ran');
  });
});

describe('a module that is imported without forRoot()', () => {
  const bare = (name: string, fix: string) => ({ name, fix, end: together(boot(name)) });

  it.each([
    bare('McpModule', `McpModule has no options. Import McpModule.forRoot({ name: 'task-api' })`),
    bare('TenantModule', `forRoot({ strategy: 'header' })`),
  ])('is named at boot with the call to make: $name', ({ name, fix, end }) => {
    expect(end()).toContain(`${name} has no options.`);
    expect(end()).toContain(fix);
  });

  const query = together(boot('QueryModule'));

  it('may be QueryModule, which then has its defaults', () => {
    expect(query()).toBe('ran');
  });
});

describe('an application compiled without decorator metadata', () => {
  const untyped = { emitDecoratorMetadata: false };
  const mcp = (method: string): string =>
    boot(`McpModule.forRoot({ name: 'tasks' })`, {
      controller: `@Controller('tasks') class Tasks { ${method} { return {} } }`,
    });
  const reading = (decorator: string, method: string) => ({
    decorator,
    typed: together(mcp(method)),
    end: together(mcp(method), untyped),
  });

  it.each([
    reading('Body', '@Post() @McpTool({ description: "New" }) create(@Body() task: CreateTaskDto)'),
    reading(
      'Query',
      '@Get() @McpTool({ description: "New" }) create(@Query() task: CreateTaskDto)',
    ),
  ])(
    'gets an error that names the parameter without a type: @$decorator()',
    ({ decorator, typed, end }) => {
      expect(typed()).toBe('ran');
      expect(end()).toContain(
        `ParameterTypesError: Tasks.create, parameter 0 (@${decorator}()): the compiler emitted no ` +
          'parameter types, so the arguments are unknown. Set emitDecoratorMetadata in tsconfig.json ' +
          '(swc: decoratorMetadata; esbuild and tsx emit no types), or pass a schema: ' +
          `@${decorator}({ schema }) or @McpTool({ inputSchema }).`,
      );
    },
  );

  const schema = `{ type: 'object', properties: { title: { type: 'string' } } }`;
  const described = together(
    mcp(
      `@Post() @McpTool({ description: 'x', inputSchema: ${schema} }) create(@Body() task: CreateTaskDto)`,
    ),
    untyped,
  );

  it('boots where a schema says what the compiler does not', () => {
    expect(described()).toBe('ran');
  });
});
