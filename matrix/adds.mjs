// `nest add` in applications as the CLI generates them, and in root modules of other shapes.
import assert from 'node:assert/strict';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { StreamableHTTPClientTransport, Client } from '@modelcontextprotocol/client';
import { generate } from './application.mjs';
import { run } from './child.mjs';
import { changePackage } from './package-file.mjs';
import { withServer } from './serve.mjs';

const here = import.meta.dirname;
const ADDED = ['mcp', 'panel', 'query', 'graphql', 'tenant'];

/** An application with what its template lists installed, and a registry that has our packages. */
export async function installedApplication({ nest, modules, cli, manager }, place) {
  const { folder, registry, log } = place;
  const app = await generate({ nest, modules }, folder, log);
  await writeFile(join(app, '.npmrc'), registry.npmrc);
  await changePackage(app, ({ devDependencies }) => {
    devDependencies['@nestjs/cli'] = `^${cli}.0.0`;
  });
  const quiet = manager === 'npm' ? ['--no-audit', '--no-fund', '--loglevel', 'error'] : [];
  await run(manager, ['install', ...quiet], { cwd: app, env: ENV, log, seconds: 300 });
  return app;
}

/** npm and pnpm as users have them on their path; what is in npm's cache is not asked for again. */
const ENV = {
  PATH: [join(here, 'node_modules/.bin'), process.env.PATH].join(delimiter),
  npm_config_prefer_offline: 'true',
};

/** `npx nest ...`: the CLI that the application has. */
export const nest = (app, args, log) =>
  run(process.execPath, [join(app, 'node_modules/@nestjs/cli/bin/nest.js'), ...args], {
    cwd: app,
    env: ENV,
    log,
    seconds: 300,
  });

/** Adds every package, builds, and asks the application for what each has added. */
export async function addAll(scenario, app, log) {
  const module = join(app, 'src/app.module.ts');
  const generated = await readFile(module, 'utf8');
  await nest(app, ['add', '@fledge/mcp', '--mcp-json', '--dry-run'], log);
  assert.equal(await readFile(module, 'utf8'), generated);
  for (const name of ADDED) {
    const flags = name === 'mcp' ? ['--mcp-json'] : [];
    await nest(app, ['add', `@fledge/${name}`, ...flags], log);
  }
  const edited = await readFile(module, 'utf8');
  await nest(app, ['add', '@fledge/mcp', '--mcp-json'], log);
  assert.equal(await readFile(module, 'utf8'), edited);
  const { dependencies } = JSON.parse(await readFile(join(app, 'package.json'), 'utf8'));
  assert.match(dependencies['nestjs-cls'], scenario.nest === 11 ? /^\^6\./ : /^\^7\./);
  await run('npm', ['run', 'build'], { cwd: app, log, seconds: 120 });
  await withServer({ app, log }, async (url) => {
    const { mcpServers } = JSON.parse(await readFile(join(app, '.mcp.json'), 'utf8'));
    assert.deepEqual(mcpServers.app.url, 'http://localhost:3000/_mcp/messages');
    await asksAll(url);
  });
}

async function asksAll(url) {
  const acme = { 'x-tenant-id': 'acme' };
  const get = (path, headers = {}) => fetch(new URL(path, url), { headers });
  assert.equal((await get('/')).status, 400);
  assert.equal(await (await get('/', acme)).text(), 'Hello World!');
  assert.equal((await get('/_fledge/')).status, 200);
  const hello = await fetch(new URL('/graphql', url), {
    method: 'POST',
    headers: { ...acme, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ hello }' }),
  });
  assert.deepEqual(await hello.json(), { data: { hello: 'Hello World!' } });
  const client = new Client({ name: 'matrix', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/_mcp/messages', url)));
  assert.equal(client.getServerVersion().name, 'app');
  await client.close();
}

/** Root modules as well-known applications write theirs, each with the files beside it. */
export const SHAPES = [
  { name: 'late-imports', path: 'src', file: 'app.module.ts', className: 'AppModule' },
  { name: 'conditional', path: 'src/api', file: 'api.module.ts', className: 'ApiModule' },
  {
    name: 'several-modules',
    path: 'src',
    file: 'app.module.ts',
    className: 'AppModule',
    refused: /which is declared elsewhere.*\[CLI_NOT_ADDED\]/,
  },
];

/** Lays a shape over an application that has @fledge/mcp installed, and adds the module to it. */
export async function addToShape(shape, app, log) {
  const file = join(app, shape.path, shape.file);
  const modules = await readdir(join(app, 'src'), { recursive: true });
  for (const path of modules.filter((name) => name.endsWith('.module.ts'))) {
    await rm(join(app, 'src', path));
  }
  await cp(join(here, 'shapes', shape.name), join(app, shape.path), { recursive: true });
  await writeFile(join(app, 'src/main.ts'), mainOf(shape));
  const before = await readFile(file, 'utf8');
  // Nest CLI 11 ends with 0 where a schematic fails, Nest CLI 12 with 1.
  const output = await nest(app, ['add', '@fledge/mcp', '--skip-install'], log).catch((error) => {
    if (shape.refused) return error.output;
    throw error;
  });
  if (shape.refused) {
    assert.match(output, shape.refused);
    assert.equal(await readFile(file, 'utf8'), before);
    return;
  }
  const edited = await readFile(file, 'utf8');
  assert.equal(edited.match(/McpModule\.forRoot/g)?.length, 1);
  await run('npm', ['run', 'build'], { cwd: app, log, seconds: 120 });
  await withServer({ app, log }, async (url) => {
    assert.equal(await (await fetch(url)).text(), 'Hello World!');
    assert.notEqual((await fetch(new URL('/_mcp/messages', url))).status, 404);
  });
}

const mainOf = ({ path, file, className }) => `import { NestFactory } from '@nestjs/core';
import { ${className} } from './${path === 'src' ? '' : path.slice(4) + '/'}${file.replace('.ts', '.js')}';

async function bootstrap() {
  const app = await NestFactory.create(${className}, { logger: ['error'] });
  await app.listen(process.env.PORT ?? 3000);
}
void bootstrap();
`;
