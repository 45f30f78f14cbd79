// The install line of libs/graphql/README.md with real npm: what it installs fits together, also for the next install.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packLibs, temporaryFolder } from '../support/consumer.js';
import { root } from '../support/snippets.js';

const tarballs = temporaryFolder();
const application = temporaryFolder();
const folders = [tarballs, application];
let packed: Map<string, string>;

const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' };

/** Runs npm. Throws with its output if it fails, as for a conflict of peers. */
function npm(folder: string, ...words: string[]): string {
  const quiet = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
  ];
  return execFileSync('npm', [...words, ...quiet], { cwd: folder, encoding: 'utf8', env });
}

const program = `
  import 'reflect-metadata';
  import { Module } from '@nestjs/common';
  import { NestFactory } from '@nestjs/core';
  import { GraphqlMountModule } from '@fledge/graphql';
  import { version } from 'graphql';
  class AppModule {}
  const mount = GraphqlMountModule.forRoot({
    typeDefs: 'type Query { hello: String } type Subscription { tick: Int }',
    rootValue: { hello: () => 'world' },
    subscriptions: true,
  });
  Module({ imports: [mount] })(AppModule);
  const app = await NestFactory.create(AppModule, { logger: ['error', 'fatal'] });
  await app.listen(0, '127.0.0.1');
  const response = await fetch((await app.getUrl()) + '/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ hello }"}',
  });
  console.log(version.split('.')[0], await response.text());
  await app.close();`;

/** The packages of the README's command. */
function packagesOfReadme(): string[] {
  const readme = readFileSync(join(root, 'libs/graphql/README.md'), 'utf8');
  const [, names] = /npm install (@fledge\/graphql [^;\n]+);/.exec(readme) ?? [];
  return (names as string).split(' ');
}

beforeAll(() => {
  packed = packLibs(tarballs);
  writeFileSync(join(application, 'package.json'), '{ "private": true, "type": "module" }');
  const nest = ['common', 'core', 'platform-express'].map((name) => `@nestjs/${name}`);
  npm(application, 'install', ...nest, 'reflect-metadata', 'rxjs');
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('the install line of @fledge/graphql', () => {
  it.each(['16', '17'])('and the next one work with graphql %s', (major) => {
    const folder = temporaryFolder();
    folders.push(folder);
    cpSync(application, folder, { recursive: true });
    // The published packages would bring @fledge/core along.
    const names = packagesOfReadme().flatMap((name) => {
      if (name === 'graphql') return `graphql@${major}`;
      return name === '@fledge/graphql' ? [packed.get('@fledge/core')!, packed.get(name)!] : name;
    });
    expect(names).toHaveLength(4);
    npm(folder, 'install', ...names);
    npm(folder, 'install', 'graphql-ws', 'ws');
    // Fails if a peer does not fit.
    npm(folder, 'ls');
    writeFileSync(join(folder, 'main.mjs'), program);
    const said = execFileSync(process.execPath, ['main.mjs'], {
      cwd: folder,
      encoding: 'utf8',
      env,
    });
    expect(said.trim()).toBe(`${major} {"data":{"hello":"world"}}`);
  });
});
