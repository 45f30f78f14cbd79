import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { succeed } from './ended.js';
import { root } from './snippets.js';

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>;
}

/** The manifests of all libs. */
const manifests: readonly Manifest[] = readdirSync(join(root, 'libs')).map(
  (lib) => JSON.parse(readFileSync(join(root, 'libs', lib, 'package.json'), 'utf8')) as Manifest,
);

/** All names that an application may import: `@fledge/query`, `@fledge/query/knex` and so on. */
export const entries: readonly string[] = manifests.flatMap(({ name, exports }) =>
  Object.keys(exports)
    .filter((path) => path !== './package.json')
    .map((path) => name + path.slice(1)),
);

/** The packed libs. test/support/packed/pack.mjs creates them before the first spec. */
const PACKED = process.env['FLEDGE_PACKED'] as string;

export interface Packed {
  readonly name: string;
  readonly tarball: string;
  /** The folder with the files of the package. */
  readonly unpacked: string;
  /** Paths in the package. */
  readonly files: readonly string[];
}

/** The libs as npm would publish them. */
export const packedLibs = JSON.parse(
  readFileSync(join(PACKED, 'packed.json'), 'utf8'),
) as readonly Packed[];

/** Returns the code of a file that imports all given entry points. */
export const importing = (names: readonly string[]): string =>
  names.map((name, i) => `export * as e${i} from '${name}';`).join('\n');

/** A folder outside the repository in which the libs are installed as npm would publish them. */
export interface Consumer {
  readonly folder: string;
  /** Compiles a project in its own folder, with `skipLibCheck` off. */
  compile(project: Project): Compiled;
  /** Links a package of the repository. Replaces an installed package with the same name. */
  install(name: string, from?: string): void;
  uninstall(name: string): void;
}

interface Project {
  readonly name: string;
  /** File contents by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** A folder whose files are copied into the project. */
  readonly folder?: string;
  readonly compilerOptions: object;
}

export interface Compiled {
  readonly folder: string;
  /** Number of declaration files of the libs that were checked. */
  readonly declarations: number;
  readonly errors: readonly string[];
}

/**
 * Installs the packed libs in a new folder.
 * @param peers the packages that are installed with the libs: all packages of the repository, or
 * only those that npm installs automatically
 */
export function consumer(peers: 'all' | 'required'): Consumer {
  const folder = temporaryFolder();
  const modules = join(folder, 'node_modules');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const { name, unpacked } of packedLibs)
    cpSync(unpacked, join(modules, name), { recursive: true });
  const install = (name: string, from = packageFolder(name)): void => {
    rmSync(join(modules, name), { recursive: true, force: true });
    link(from, join(modules, name));
  };
  for (const name of peers === 'all' ? installed() : requiredPackages()) install(name);
  return {
    folder,
    compile: (project) => compileIn(join(folder, project.name), project),
    install,
    uninstall: (name) => rmSync(join(modules, name), { recursive: true }),
  };
}

/** Returns a new folder, which is removed after the last spec. */
export function temporaryFolder(): string {
  return mkdtempSync(join(PACKED, 'consumer-'));
}

/**
 * Returns the packages that `npm install` of all libs adds: their dependencies and required peer
 * dependencies.
 */
function requiredPackages(): string[] {
  const names = manifests.flatMap(
    ({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }) => [
      ...Object.keys(dependencies),
      ...Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional),
    ],
  );
  return [...new Set([...names, '@types/node'])].filter((name) => !name.startsWith('@fledge/'));
}

function installed(): string[] {
  const modules = join(root, 'node_modules');
  return readdirSync(modules)
    .filter((name) => !name.startsWith('.') && name !== '@fledge')
    .flatMap((name) =>
      name.startsWith('@')
        ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`)
        : [name],
    );
}

/**
 * Returns the folder of a package. If another version is at the top level, npm installs the package
 * inside the lib that depends on it.
 */
function packageFolder(name: string): string {
  const places = [...readdirSync(join(root, 'libs')).map((lib) => join(root, 'libs', lib)), root];
  const found = places.map((place) => join(place, 'node_modules', name)).find(existsSync);
  if (found === undefined) throw new Error(`${name} is not installed in the repository.`);
  return found;
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, 'junction');
}

function compileIn(at: string, { files = {}, folder, compilerOptions }: Project): Compiled {
  mkdirSync(at);
  if (folder !== undefined) cpSync(folder, at, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(at, name)), { recursive: true });
    writeFileSync(join(at, name), text);
  }
  const options = {
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    module: 'nodenext',
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    skipLibCheck: false,
    outDir: 'dist',
    rootDir: '.',
    ...compilerOptions,
  };
  const project = { compilerOptions: options, include: ['**/*.ts', '**/*.cts'] };
  writeFileSync(join(at, 'tsconfig.json'), JSON.stringify(project));
  const compiler = join(root, 'test/support/compile-consumer.mjs');
  const said = succeed(process.execPath, [compiler, at]);
  return { folder: at, ...(JSON.parse(said) as Omit<Compiled, 'folder'>) };
}
