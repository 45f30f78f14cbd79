import { posix } from 'node:path';
import type ts from 'typescript';
import { NotAddedError } from '../cli.errors.js';
import type { ReadText } from '../entry/out-dir.js';
import { isObject, readJsonObject } from '../json.js';
import { classNamed, type DeclaredClass, parsed, type Sources } from './exported-class.js';
import { localNames } from './module-use.js';

/** The root module, and the file that starts the application. */
export interface RootModule extends DeclaredClass {
  /** Undefined if there is no such file. */
  readonly entry: string | undefined;
}

/**
 * Finds the root module: the class that the entry file passes to `NestFactory.create()`. If there
 * is no such class in the entry file, returns the class `AppModule` of app.module.ts.
 * @param sourceRoot the source folder, as `nest add` passes it
 * @throws NotAddedError if there is no such class, or if the application has no HTTP server
 */
export function rootModuleOf(sources: Sources, sourceRoot: string): RootModule {
  const { read } = sources;
  const folder = posix.normalize(sourceRoot).replace(/\/$/, '');
  const entries = entryNames(read, folder);
  const name = entries.find((path) => read(`${path}.ts`) !== undefined);
  const entry = name === undefined ? undefined : `${name}.ts`;
  if (entry === undefined) {
    const script = entries.find((path) => read(`${path}.js`) !== undefined);
    if (script !== undefined) {
      throw new NotAddedError(
        `The application is written in JavaScript (${script}.js), but nest add edits only TypeScript.`,
      );
    }
  } else {
    const local = createdModule(entry, sources);
    const named = local === undefined ? undefined : classNamed(entry, local, sources);
    if (named !== undefined) return { ...named, entry };
  }
  const usual = [`${folder}/app.module.ts`, `${folder}/app/app.module.ts`];
  const path = usual.find((each) => /\bclass AppModule\b/.test(read(each) ?? ''));
  if (path !== undefined) return { path, className: 'AppModule', entry };
  throw new NotAddedError(
    `No root module was found: ${entry === undefined ? `there is no ${entries[0]}.ts` : `${entry} passes no imported class to NestFactory`}, and there is no class AppModule in ${usual.join(' or ')}.`,
  );
}

/**
 * Returns the possible paths of the entry file, without extension. The most likely path comes
 * first.
 */
function entryNames(read: ReadText, folder: string): string[] {
  const entry = entryFile(read, folder).replace(/\.[jt]s$/, '');
  const names = [posix.join(folder, entry), posix.normalize(entry), posix.join(folder, 'main')];
  return [...new Set(names)];
}

function entryFile(read: ReadText, folder: string): string {
  const text = read('nest-cli.json');
  if (text === undefined) return 'main';
  const cure = 'Correct the file, then run nest add again.';
  const config = readJsonObject('nest-cli.json', text, cure);
  const projects = isObject(config['projects']) ? Object.values(config['projects']) : [];
  const own = projects
    .filter(isObject)
    .find(
      ({ sourceRoot }) => typeof sourceRoot === 'string' && posix.normalize(sourceRoot) === folder,
    );
  const entry = own?.['entryFile'] ?? config['entryFile'];
  return typeof entry === 'string' ? entry : 'main';
}

/**
 * Returns the name of the class in `NestFactory.create(AppModule)`. Ignores other `NestFactory`
 * calls, such as an application context that loads settings.
 * @throws NotAddedError if the file only creates a microservice or an application context
 */
function createdModule(entry: string, sources: Sources): string | undefined {
  const { compiler } = sources;
  const source = parsed(entry, sources);
  const factories = localNames(source, { name: 'NestFactory', from: '@nestjs/core' }, compiler);
  const calls: { readonly method: string; readonly module: string | undefined }[] = [];
  const visit = (node: ts.Node): void => {
    if (compiler.isCallExpression(node)) {
      const [, owner = '', method = ''] =
        /^(.+)\.(create\w*)$/.exec(node.expression.getText(source)) ?? [];
      if (owner === 'NestFactory' || factories.has(owner)) {
        calls.push({ method, module: classIn(node.arguments[0], compiler) });
      }
    }
    compiler.forEachChild(node, visit);
  };
  visit(source);
  const server = calls.find(({ method }) => method === 'create');
  if (server === undefined && calls[0] !== undefined) {
    throw new NotAddedError(
      `${entry} calls NestFactory.${calls[0].method}(), which starts no HTTP server. Fledge modules require an ` +
        'application that NestFactory.create() creates. To add microservices, call app.connectMicroservice().',
      'not for this application',
    );
  }
  return server?.module;
}

/** Returns the class name in an expression such as `AppModule` or `AppModule.forRoot()`. */
function classIn(module: ts.Expression | undefined, compiler: typeof ts): string | undefined {
  if (module === undefined) return undefined;
  if (compiler.isIdentifier(module)) return module.text;
  if (compiler.isCallExpression(module) && compiler.isPropertyAccessExpression(module.expression)) {
    return classIn(module.expression.expression, compiler);
  }
  return undefined;
}
