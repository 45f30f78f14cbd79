// The errors an application gets when it is set up wrongly. Each case is a separate process, against the packed libs.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { type Consumer, consumer, packLibs, temporaryFolder } from '../support/consumer.js';

const tarballs = temporaryFolder();
let packed: Map<string, string>;
let app: Consumer;

beforeAll(() => {
  packed = packLibs(tarballs);
  app = consumer(packed, 'required');
  for (const name of ['@nestjs/platform-express', 'class-validator', 'class-transformer'])
    app.install(name);
});
afterAll(() => {
  rmSync(tarballs, { recursive: true });
  app.remove();
});

interface Ended {
  readonly status: number | null;
  readonly output: string;
}

/** Compiles a program as tsc does, without looking at its types, and runs it. */
function run(
  program: string,
  options: ts.CompilerOptions = {},
  flags: string[] = [],
  { folder } = app,
): Ended {
  const { outputText } = ts.transpileModule(program, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      ...options,
    },
  });
  const file = join(folder, 'program.mjs');
  writeFileSync(file, outputText);
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, file], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' },
  });
  return { status, output: stdout + stderr };
}

/** Boots an application with these imports, and says so. */
function boot(imports: string, { controller = '', from = '' } = {}): string {
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
    const app = await NestFactory.create(AppModule, { logger: ['error', 'fatal'] });
    await app.listen(0, '127.0.0.1');
    console.log('It boots.');
    process.exit();`;
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

/** The fault of a program that must not run to its end. */
function fault(ended: Ended): string {
  expect(ended.status).not.toBe(0);
  expect(ended.output).not.toContain('It boots.');
  return ended.output;
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
      expect(fault(run(`import '@fledge/${lib}';`))).toMatch(
        new RegExp(`Cannot find package '${peer}' imported from .*/@fledge/${lib}/`),
      );
    } finally {
      app.install(peer);
    }
  });
});

describe('an optional peer that is not installed', () => {
  it.each([
    ['query/drizzle', 'drizzle-orm'],
    ['query/typeorm', 'typeorm'],
  ])('is named with what installs it: @fledge/%s', (entry, peer) => {
    expect(fault(run(`import '@fledge/${entry}';`))).toContain(
      `@fledge/${entry} needs ${peer}, which is not installed. Run: npm install ${peer}`,
    );
  });

  // Imported statically: a class of a second copy, as require() may give, would be another to Nest's injector.
  it.each([
    ['query/kysely', 'kysely'],
    ['query/mikro-orm', '@mikro-orm/core'],
    ['core/loader', 'dataloader'],
    ['tenant/bullmq', '@nestjs/bullmq'],
    ['tenant/cache', '@nestjs/cache-manager'],
    ['tenant/kysely', 'kysely'],
    ['tenant/mikro-orm', '@mikro-orm/core'],
    ['tenant/microservices', '@nestjs/microservices'],
    ['tenant/rabbitmq', '@golevelup/nestjs-rabbitmq'],
    ['tenant/throttler', '@nestjs/throttler'],
    ['tenant/websockets', '@nestjs/websockets'],
  ])('is named by Node.js, and so is its importer: @fledge/%s', (entry, peer) => {
    expect(fault(run(`import '@fledge/${entry}';`))).toMatch(
      new RegExp(
        `Cannot find package '${peer}' imported from .*/@fledge/${entry.split('/')[0]}/dist/`,
      ),
    );
  });

  const SCHEMA = `import { buildSchema } from 'graphql';
    import { GraphqlMountModule, GraphqlSubscriptionsModule } from '@fledge/graphql';
    import { GraphqlApolloModule } from '@fledge/graphql/apollo';
    import { yoga } from '@fledge/graphql/yoga';
    const schema = buildSchema('type Query { a: Int } type Subscription { b: Int }');`;

  it.each([
    ['GraphqlMountModule.forRoot({ schema, runtime: yoga() })', 'yoga()', 'graphql-yoga'],
    ['GraphqlSubscriptionsModule.forRoot({ schema })', 'A GraphQL WebSocket endpoint', 'ws'],
    ['GraphqlApolloModule.forRoot({})', 'GraphqlApolloModule', '@nestjs/graphql'],
  ])('is named at boot with what installs it: %s', (module, user, peer) => {
    expect(fault(run(boot(module, { from: SCHEMA })))).toContain(
      `${user} needs the package "${peer}", which is not installed: npm install ${peer}`,
    );
  });

  it('is named where a test asks for the client of MCP', () => {
    app.uninstall('@modelcontextprotocol/client');
    try {
      const program = boot(`McpModule.forRoot({ name: 'tasks' })`, {
        from: `import { createMcpTestClient } from '@fledge/mcp/testing';`,
      }).replace('await app.listen', 'await createMcpTestClient(app); await app.listen');
      expect(fault(run(program))).toContain(
        'createMcpTestClient() needs the package "@modelcontextprotocol/client", which is not ' +
          'installed: npm install @modelcontextprotocol/client',
      );
    } finally {
      app.install('@modelcontextprotocol/client');
    }
  });
});

describe('a version that does not fit', () => {
  let crowded: Consumer;

  beforeAll(() => {
    crowded = consumer(packed, 'all');
  });
  afterAll(() => crowded.remove());

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
    expect(fault(run(`import '@fledge/core';`, {}, [], crowded))).toContain(
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
    expect(fault(run(`import '@fledge/core';`, {}, ['--import', posing]))).toContain(
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
    const said = fault(run(boot(`McpModule.forRoot({ name: 'tasks' })`, { controller })));
    expect(said).toContain('DuplicateCopyError: 2 copies of @fledge/core are loaded: ');
    expect(said).toContain(`0.1.0 at ${first}`);
    expect(said).toContain(`${version} at ${second}`);
    expect(said).toContain('Run "npm ls @fledge/core"');
  });
});

describe('a module that is imported twice', () => {
  it.each([
    ['McpModule', `{ name: 'tasks' }`],
    ['TenantModule', `{ strategy: 'header' }`],
    ['QueryModule', ''],
  ])('is named at boot: %s', (name, options) => {
    const module = `${name}.forRoot(${options})`;
    expect(fault(run(boot(`${module}, feature(${module})`)))).toContain(
      `${name} is imported twice. Call ${name}.forRoot() once, in the root module; it is global, so ` +
        'other modules do not need to import it.',
    );
  });

  it('may be ContextModule', () => {
    const imports = `ContextModule, feature(ContextModule), ContextModule.forRoot({ contributors: [] })`;
    expect(run(boot(imports))).toEqual({ status: 0, output: 'It boots.\n' });
  });
});

describe('a module that is imported without forRoot()', () => {
  it.each([
    ['McpModule', `McpModule has no options. Import McpModule.forRoot({ name: 'task-api' })`],
    ['TenantModule', `forRoot({ strategy: 'header' })`],
  ])('is named at boot with the call to make: %s', (name, cure) => {
    const said = fault(run(boot(name)));
    expect(said).toContain(`${name} has no options.`);
    expect(said).toContain(cure);
  });

  it('may be QueryModule, which then has its defaults', () => {
    expect(run(boot('QueryModule'))).toEqual({ status: 0, output: 'It boots.\n' });
  });
});

describe('an application compiled without decorator metadata', () => {
  const controller = (method: string): string =>
    `@Controller('tasks') class Tasks { ${method} { return {} } }`;
  const untyped = { emitDecoratorMetadata: false };
  const mcp = (method: string): string =>
    boot(`McpModule.forRoot({ name: 'tasks' })`, { controller: controller(method) });

  it.each([
    ['Body', '@Post() @McpTool({ description: "New" }) create(@Body() task: CreateTaskDto)'],
    ['Query', '@Get() @McpTool({ description: "New" }) create(@Query() task: CreateTaskDto)'],
  ])('gets an error that names the parameter without a type: @%s()', (decorator, method) => {
    expect(run(mcp(method))).toMatchObject({ status: 0 });
    expect(fault(run(mcp(method), untyped))).toContain(
      `ParameterTypesError: Tasks.create, parameter 0 (@${decorator}()): the compiler emitted no ` +
        'parameter types, so its arguments are unknown. Set emitDecoratorMetadata in tsconfig.json ' +
        '(swc: decoratorMetadata; esbuild and tsx emit none), or give a schema: ' +
        `@${decorator}({ schema }) or @McpTool({ inputSchema }).`,
    );
  });

  it('boots where a schema says what the compiler does not', () => {
    const schema = `{ type: 'object', properties: { title: { type: 'string' } } }`;
    const method = `@Post() @McpTool({ inputSchema: ${schema} }) create(@Body() task: CreateTaskDto)`;
    expect(run(mcp(method), untyped)).toMatchObject({ status: 0 });
  });
});
