import { describe, expect, it } from '@jest/globals';
import compiler from 'typescript';
import { importFinder } from './imported-file.js';
import { rootModuleOf } from './root-module.js';

const rootOf = (files: Record<string, string | object>, sourceRoot = 'src') => {
  const read = (path: string) => {
    const file = files[path];
    return file === undefined || typeof file === 'string' ? file : JSON.stringify(file);
  };
  const sources = { read, find: importFinder(read, sourceRoot), compiler };
  const { path, className } = rootModuleOf(sources, sourceRoot);
  return { path, className };
};

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
    const main = `${CLASS}\nvoid NestFactory.create(AppModule);`;
    expect(rootOf({ 'src/main.ts': main }).path).toBe('src/main.ts');
  });

  it.each([
    ['a class', '@Module({})\nexport default class Root {}', 'Root'],
    ['a class without a name', '@Module({})\nexport default class {}', 'default'],
    ['a name', '@Module({})\nclass Root {}\nexport default Root;', 'Root'],
    ['a list', '@Module({})\nclass Root {}\nexport { Root as default };', 'Root'],
  ])('follows a default export: %s', (_name, text, className) => {
    const main = "import AppModule from './root';\nvoid NestFactory.create(AppModule);";
    expect(rootOf({ 'src/main.ts': main, 'src/root.ts': text })).toEqual({
      path: 'src/root.ts',
      className,
    });
  });

  it.each([
    ['all', "export * from './other';\nexport * from './root';"],
    ['a name', "export { Root as AppModule } from './root';"],
    ['an imported name', "import { Root } from './root';\nexport { Root as AppModule };"],
  ])('follows a file that exports %s of another', (kind, index) => {
    const className = kind === 'all' ? 'AppModule' : 'Root';
    expect(
      rootOf({
        'src/main.ts': boot('./core'),
        'src/core/index.ts': index,
        'src/core/other.ts': "export * from './index';",
        'src/core/root.ts': `export class ${className} {}`,
      }),
    ).toEqual({ path: 'src/core/root.ts', className });
  });

  it.each([
    ['paths', '@app/root', { paths: { '@app/*': ['./src/core/*'] } }],
    ['paths below baseUrl', '@/core/root', { baseUrl: './src', paths: { '@/*': ['*'] } }],
    ['an exact path', 'root', { paths: { root: ['src/core/root.ts'] } }],
    ['baseUrl', 'core/root', { baseUrl: 'src' }],
  ])('follows %s of tsconfig.json', (_name, from, compilerOptions) => {
    expect(
      rootOf({
        'src/main.ts': boot(from),
        'src/core/root.ts': CLASS,
        'tsconfig.json': { extends: './tsconfig.base.json' },
        'tsconfig.base.json': { compilerOptions },
      }).path,
    ).toBe('src/core/root.ts');
  });

  it('takes the module of the server, not that of an application context before it', () => {
    const main = `import { NestFactory as Factory } from '@nestjs/core';
import { SettingsModule } from './settings.module';
import { AppModule } from './app.module';
const context = await Factory.createApplicationContext(SettingsModule);
const app = await Factory.create(AppModule.forRoot(context.get('settings')));`;
    const settings = 'export class SettingsModule {}';
    expect(
      rootOf({
        'src/main.ts': main,
        'src/app.module.ts': CLASS,
        'src/settings.module.ts': settings,
      }).path,
    ).toBe('src/app.module.ts');
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
    ['no entry file', {}, /there is no src\/main\.ts, and there is no class AppModule/],
    ['no named module', { 'src/main.ts': 'void run();' }, /src\/main\.ts passes no imported class/],
    ['a module of a package', { 'src/main.ts': boot('@app/root') }, /No root module was found/],
    [
      'a microservice',
      {
        'src/main.ts': boot('./app.module', 'AppModule', 'createMicroservice(AppModule)'),
        'src/app.module.ts': CLASS,
      },
      /src\/main\.ts calls NestFactory\.createMicroservice\(\), which starts no HTTP server/,
    ],
  ])('refuses %s', (_name, files, message) => {
    expect(() => rootOf(files as Record<string, string>)).toThrow(message);
  });
});
