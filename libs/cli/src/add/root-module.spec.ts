import { describe, expect, it } from '@jest/globals';
import compiler from 'typescript';
import { rootModuleOf } from './root-module.js';

const rootOf = (files: Record<string, string | object>, sourceRoot = 'src') =>
  rootModuleOf(
    (path) => {
      const file = files[path];
      return file === undefined || typeof file === 'string' ? file : JSON.stringify(file);
    },
    sourceRoot,
    compiler,
  );

const boot = (from: string, name = 'AppModule', create = `create(${name.split(' ').at(-1)})`) =>
  `import { NestFactory } from '@nestjs/core';
import { ${name} } from '${from}';
async function bootstrap() {
  const app = await NestFactory.${create};
  await app.listen(3000);
}
void bootstrap();`;
const CLASS = '@Module({})\nexport class AppModule {}';

describe('rootModuleOf', () => {
  it.each([
    ['as the CLI writes it', './app.module'],
    ['of an ES module', './app.module.js'],
    ['from the root of the application', 'src/app.module'],
  ])('follows the import of main.ts, %s', (_name, from) => {
    expect(rootOf({ 'src/main.ts': boot(from), 'src/app.module.ts': CLASS })).toEqual({
      path: 'src/app.module.ts',
      className: 'AppModule',
    });
  });

  it('finds a module of another name in another folder', () => {
    const main = boot('./core/root.module', 'RootModule');
    expect(
      rootOf({ 'src/main.ts': main, 'src/core/root.module.ts': 'export class RootModule {}' }),
    ).toEqual({ path: 'src/core/root.module.ts', className: 'RootModule' });
  });

  it('resolves an alias, type arguments and more arguments', () => {
    const main = boot('./app.module', 'AppModule as Root', 'create<NestFastify>(Root, adapter())');
    expect(rootOf({ 'src/main.ts': main, 'src/app.module.ts': CLASS }).className).toBe('AppModule');
  });

  it('finds a module that main.ts declares', () => {
    const main = `${CLASS}\nvoid NestFactory.createApplicationContext(AppModule);`;
    expect(rootOf({ 'src/main.ts': main }).path).toBe('src/main.ts');
  });

  it('follows sourceRoot and entryFile of nest-cli.json', () => {
    expect(
      rootOf(
        {
          'nest-cli.json': { sourceRoot: 'server', entryFile: 'server' },
          'server/server.ts': boot('./api.module'),
          'server/api.module.ts': CLASS,
          'server/main.ts': boot('./other'),
        },
        'server/',
      ).path,
    ).toBe('server/api.module.ts');
  });

  it('follows the entry file of one project in a monorepo', () => {
    const found = rootOf(
      {
        'nest-cli.json': {
          monorepo: true,
          sourceRoot: 'apps/shop/src',
          projects: {
            shop: { sourceRoot: 'apps/shop/src', entryFile: 'main' },
            blog: { sourceRoot: 'apps/blog/src', entryFile: 'blog' },
          },
        },
        'apps/shop/src/main.ts': boot('./shop.module', 'ShopModule'),
        'apps/blog/src/blog.ts': boot('./blog.module', 'BlogModule'),
        'apps/blog/src/blog.module.ts': 'export class BlogModule {}',
      },
      'apps/blog/src',
    );
    expect(found).toEqual({ path: 'apps/blog/src/blog.module.ts', className: 'BlogModule' });
  });

  it('falls back to AppModule where main.ts does not name a class', () => {
    const main = "import { run } from './run';\nvoid run();";
    expect(rootOf({ 'src/main.ts': main, 'src/app/app.module.ts': CLASS }).path).toBe(
      'src/app/app.module.ts',
    );
  });

  it.each([
    ['JavaScript', { 'src/main.js': '' }, /written in JavaScript \(src\/main\.js\)/],
    ['no entry file', {}, /there is no src\/main\.ts, and no AppModule/],
    ['no named module', { 'src/main.ts': 'void run();' }, /src\/main\.ts gives no imported class/],
    ['a module behind an alias', { 'src/main.ts': boot('@app/root') }, /No root module was found/],
  ])('refuses %s', (_name, files, message) => {
    expect(() => rootOf(files as Record<string, string>)).toThrow(message);
  });
});
