// The install line of libs/graphql/README.md with real npm: what it installs fits together, also for the next install.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { packedLibs, temporaryFolder } from '../support/consumer.js';
import { succeed } from '../support/ended.js';
import { root } from '../support/snippets.js';

const application = temporaryFolder();
const tarballOf = (wanted: string) => packedLibs.find(({ name }) => name === wanted)!.tarball;

/** Runs npm. Throws with its output if it fails, as for a conflict of peers. */
function npm(folder: string, ...words: string[]): string {
  const quiet = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
  ];
  return succeed('npm', [...words, ...quiet], { cwd: folder });
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
  const [, names] = /^npm install (@fledge\/graphql .+)$/m.exec(readme) ?? [];
  return (names as string).split(' ');
}

beforeAll(() => {
  writeFileSync(join(application, 'package.json'), '{ "private": true, "type": "module" }');
  const nest = ['common', 'core', 'platform-express'].map((name) => `@nestjs/${name}`);
  npm(application, 'install', ...nest, 'reflect-metadata', 'rxjs');
});

describe('the install line of @fledge/graphql', () => {
  it.each(['16', '17'])('and the next one work with graphql %s', (major) => {
    const folder = temporaryFolder();
    cpSync(application, folder, { recursive: true });
    // The published packages would bring @fledge/core along.
    const names = packagesOfReadme().flatMap((name) => {
      if (name === 'graphql') return `graphql@${major}`;
      return name === '@fledge/graphql' ? ['@fledge/core', name].map(tarballOf) : name;
    });
    expect(names).toHaveLength(4);
    npm(folder, 'install', ...names);
    npm(folder, 'install', 'graphql-ws', 'ws');
    // Fails if a peer does not fit.
    npm(folder, 'ls');
    writeFileSync(join(folder, 'main.mjs'), program);
    const said = succeed(process.execPath, ['main.mjs'], { cwd: folder });
    expect(said.trim()).toBe(`${major} {"data":{"hello":"world"}}`);
  });
});
