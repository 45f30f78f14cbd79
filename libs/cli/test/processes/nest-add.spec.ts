// The schematics of the built packages, run by the program that the Nest CLI runs them with.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import compiler from 'typescript';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const SCHEMATICS = createRequire(import.meta.url).resolve(
  '@angular-devkit/schematics-cli/bin/schematics.js',
);
// Below the repository, whose node_modules has the packages.
const cache = join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'nest-add-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MODULE = `import { Module } from '@nestjs/common';

@Module({ imports: [] })
export class AppModule {}
`;
const FILES = {
  'package.json': JSON.stringify({
    name: '@acme/shop',
    dependencies: {
      '@nestjs/common': '^12.0.0',
      '@nestjs/core': '^12.0.0',
      graphql: '^16.11.0',
      'nestjs-cls': '^7.0.0',
      'reflect-metadata': '^0.2.0',
      rxjs: '^7.8.0',
      typeorm: '^1.0.0',
    },
  }),
  'src/main.ts': `import { AppModule } from './app.module.js';\nvoid NestFactory.create(AppModule);\n`,
  'src/app.module.ts': MODULE,
};

beforeEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(join(folder, 'src'), { recursive: true });
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(folder, path), text);
});

const textOf = (path: string) => readFileSync(join(folder, path), 'utf8');
const filesNow = () =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
      .map((path) => [path, textOf(path)]),
  );

function nestAdd(name: string, ...flags: string[]): Promise<{ code: number; output: string }> {
  const args = [SCHEMATICS, `@fledge/${name}:nest-add`, '--source-root=src', ...flags];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

describe('nest add', () => {
  it.each([
    [
      'mcp',
      "McpModule.forRoot({ name: 'shop', sessions: { max: 10 }, toolNames: 'underscored' })",
      /@McpTool\(\{ name: 'find_task', /,
    ],
    ['tenant', "TenantModule.forRoot({ strategy: 'header' })", /requires the header X-Tenant-ID/],
    ['panel', 'PanelModule.forRoot()', /localhost:3000\/_fledge\/[^]*npx nest add @fledge\/mcp/],
    [
      'graphql',
      "GraphqlMountModule.forRoot({ typeDefs: 'type Query { hello: String! }', rootValue: { hello: () => 'Hello World!' } })",
      /\/graphql/,
    ],
  ])('adds the module of @fledge/%s once', async (name, call, next) => {
    const { code, output } = await nestAdd(name);
    expect(code).toBe(0);
    expect(output).toMatch(next);
    const className = call.slice(0, call.indexOf('.'));
    expect(textOf('src/app.module.ts')).toBe(
      `import { Module } from '@nestjs/common';\nimport { ${className} } from '@fledge/${name}';\n\n` +
        `@Module({ imports: [${call}] })\nexport class AppModule {}\n`,
    );
    const before = filesNow();
    const again = await nestAdd(name);
    expect(again.output).toContain(`src/app.module.ts already uses ${className}.`);
    expect(filesNow()).toEqual(before);
  });

  it('finds the module in another file, and not in a test', async () => {
    writeFileSync(join(folder, 'src/app.spec.ts'), 'McpModule.forRoot({})');
    writeFileSync(
      join(folder, 'src/agents.module.ts'),
      "import { McpModule as Mcp } from '@fledge/mcp';\nexport const mcp = Mcp.forRootAsync({});",
    );
    const { output } = await nestAdd('mcp');
    expect(output).toContain('src/agents.module.ts already uses McpModule.');
    expect(textOf('src/app.module.ts')).toBe(MODULE);
  });

  it('adds its module beside a class of the same name', async () => {
    writeFileSync(
      join(folder, 'src/agents.module.ts'),
      "import { McpModule } from '@rekog/mcp-nest';\nexport const mcp = McpModule.forRoot({});",
    );
    const { code, output } = await nestAdd('mcp');
    expect(code).toBe(0);
    expect(output).toContain('Added McpModule to AppModule in src/app.module.ts.');
    expect(textOf('src/app.module.ts')).toContain("from '@fledge/mcp'");
  });

  it('leaves an application with @nestjs/graphql as it is, and names the pages for it', async () => {
    const { dependencies, ...rest } = JSON.parse(FILES['package.json']);
    const manifest = { ...rest, dependencies: { ...dependencies, '@nestjs/graphql': '^14.0.0' } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    const before = filesNow();
    const { code, output } = await nestAdd('graphql');
    expect(code).toBe(1);
    expect(output).toMatch(
      /GraphqlApolloModule \(docs\/apollo\.md.*mercurius\.md.*\[CLI_NOT_ADDED\]/,
    );
    expect(output).not.toContain('@Module({ imports');
    expect(filesNow()).toEqual(before);
  });

  it('leaves a microservice as it is, and prints no module to add', async () => {
    writeFileSync(
      join(folder, 'src/main.ts'),
      FILES['src/main.ts'].replace('create(', 'createMicroservice('),
    );
    const before = filesNow();
    const { code, output } = await nestAdd('mcp', '--mcp-json');
    expect([code, filesNow()]).toEqual([1, before]);
    expect(output).toMatch(
      /createMicroservice\(\), which starts no HTTP server.*\[CLI_NOT_ADDED\]/,
    );
    expect(output).not.toContain('@Module({ imports');
  });

  it('prints GraphQL resolvers that compile under strict', async () => {
    const { output } = await nestAdd('graphql');
    const [, type, field] = /(import type .*;)\s+(users: .*)/.exec(output) ?? [];
    const path = join(folder, 'src/resolvers.ts');
    writeFileSync(
      path,
      `${type}\nclass UsersService { findAll() { return ['Ann']; } }\nexport const rootValue = {\n  ${field},\n};\n`,
    );
    const program = compiler.createProgram([path], {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      module: compiler.ModuleKind.NodeNext,
      experimentalDecorators: true,
    });
    const texts = compiler
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => compiler.flattenDiagnosticMessageText(messageText, ' '));
    expect(texts).toEqual([]);
  });

  it('edits nothing for @fledge/query, and names the adapter of the ORM', async () => {
    const { code, output } = await nestAdd('query');
    expect([code, filesNow()]).toEqual([0, FILES]);
    expect(output).toMatch(
      /from '@fledge\/query\/typeorm'[^]*@Qs\(TASKS, { onInvalid: 'throw' }\)/,
    );
  });

  it('writes .mcp.json if asked', async () => {
    writeFileSync(
      join(folder, '.mcp.json'),
      '{ "mcpServers": { "other": { "url": "http://x" } } }',
    );
    await nestAdd('mcp', '--mcp-json');
    expect(JSON.parse(textOf('.mcp.json'))).toEqual({
      mcpServers: {
        other: { url: 'http://x' },
        shop: { type: 'http', url: 'http://localhost:3000/_mcp/messages' },
      },
    });
  });

  it('writes nothing with --dry-run', async () => {
    const { code, output } = await nestAdd('mcp', '--mcp-json', '--dry-run');
    expect([code, filesNow()]).toEqual([0, FILES]);
    expect(output).toMatch(/CREATE.* \.mcp\.json[^]*UPDATE.* src\/app\.module\.ts/);
  });

  it.each([
    [
      'src/app.module.ts',
      MODULE.replace('imports: []', 'imports: modules'),
      /is modules instead of an array literal/,
    ],
    ['.mcp.json', '{', /\.mcp\.json is not valid JSON.*omit --mcp-json/],
    ['.mcp.json', '{"mcpServers":{"shop":{}}}', /already has a different server "shop"/],
    [
      'node_modules/nestjs-cls/package.json',
      '{"version":"5.0.0"}',
      /nestjs-cls 5\.0\.0 is installed/,
    ],
    [
      'src/app.module.ts',
      Buffer.from(MODULE.replace('@Module', '// caf\xe9\n@Module'), 'latin1'),
      /src\/app\.module\.ts is not encoded in UTF-8/,
    ],
  ])(
    'leaves every file as it is where %s stops it, and prints what to add',
    async (path, text, reason) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
      const before = filesNow();
      const { code, output } = await nestAdd('mcp', '--mcp-json');
      expect(code).toBe(1);
      expect(output).toMatch(reason);
      expect(output).toMatch(
        /no file was changed[^]*\[CLI_\w+\][^]*import \{ McpModule \} from '@fledge\/mcp'/,
      );
      expect(output).toContain(
        "@Module({ imports: [McpModule.forRoot({ name: 'shop', sessions: { max: 10 }, toolNames: 'underscored' })] })",
      );
      expect(filesNow()).toEqual(before);
    },
  );

  it('stands in each package that it adds', () => {
    for (const name of ['mcp', 'tenant', 'query', 'graphql', 'panel']) {
      const lib = join(root, 'libs', name);
      const { schematics } = JSON.parse(readFileSync(join(lib, 'package.json'), 'utf8'));
      const collection = join(lib, schematics);
      const { factory, schema } = JSON.parse(readFileSync(collection, 'utf8')).schematics[
        'nest-add'
      ];
      for (const path of [factory.split('#')[0], schema]) {
        expect(readdirSync(dirname(collection))).toContain(path.slice(2));
      }
    }
  });
});
