import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './snippets.js';

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>;
}

/** The manifest of every lib. */
const manifests: readonly Manifest[] = readdirSync(join(root, 'libs')).map(
  (lib) => JSON.parse(readFileSync(join(root, 'libs', lib, 'package.json'), 'utf8')) as Manifest,
);

/** Every name an application may import: `@fledge/query`, `@fledge/query/knex` and so on. */
export const entries: readonly string[] = manifests.flatMap(({ name, exports }) =>
  Object.keys(exports)
    .filter((path) => path !== './package.json')
    .map((path) => name + path.slice(1)),
);

/** A file that imports every one of some entries. */
export const importing = (names: readonly string[]): string =>
  names.map((name, i) => `export * as e${i} from '${name}';`).join('\n');

/** A folder outside of the repository in which the libs are installed as npm would publish them. */
export interface Consumer {
  readonly folder: string;
  /** Compiles `files`, and those of a folder beside them, with `skipLibCheck` off. */
  compile(project: Project): Compiled;
  /** Links a package of the repository. */
  install(name: string): void;
  uninstall(name: string): void;
  remove(): void;
}

interface Project {
  readonly name: string;
  /** Texts by file name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Its files are copied into the project. */
  readonly folder?: string;
  readonly compilerOptions: object;
}

export interface Compiled {
  readonly folder: string;
  /** How many declaration files of the libs were looked at. */
  readonly declarations: number;
  readonly errors: readonly string[];
}

/**
 * Packs the built libs as `npm publish` would.
 * @returns their tarballs by name
 */
export function packLibs(folder: string): Map<string, string> {
  const workspaces = manifests.flatMap(({ name }) => ['--workspace', name]);
  const packed = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', folder, ...workspaces], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as Record<string, { name: string; filename: string }>;
  return new Map(Object.values(packed).map(({ name, filename }) => [name, join(folder, filename)]));
}

/**
 * @param tarballs of `packLibs()`
 * @param peers which packages besides the libs are installed: all of the repository, or only those
 * which npm installs without being asked
 */
export function consumer(
  tarballs: ReadonlyMap<string, string>,
  peers: 'all' | 'required',
): Consumer {
  const folder = temporaryFolder();
  const modules = join(folder, 'node_modules');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, tarball] of tarballs) {
    const at = join(modules, name);
    mkdirSync(at, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', at, '--strip-components=1']);
  }
  const names = peers === 'all' ? installed() : requiredPackages();
  for (const name of names) link(packageFolder(name), join(modules, name));
  return {
    folder,
    compile: (project) => compileIn(join(folder, project.name), project),
    install: (name) => link(packageFolder(name), join(modules, name)),
    uninstall: (name) => rmSync(join(modules, name), { recursive: true }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Outside of the repository, so that nothing of it is found by looking upward. */
export function temporaryFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'fledge-consumer-')));
}

/** What `npm install` of all libs brings along: their dependencies, and peers that are not optional. */
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

/** npm puts a package beside the lib that depends on it where another version took the first place. */
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
  for (const [name, text] of Object.entries(files)) writeFileSync(join(at, name), text);
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
  const project = { compilerOptions: options, include: ['*.ts', '*.cts'] };
  writeFileSync(join(at, 'tsconfig.json'), JSON.stringify(project));
  const compiler = join(root, 'test/support/compile-consumer.mjs');
  const said = execFileSync(process.execPath, [compiler, at], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return { folder: at, ...(JSON.parse(said) as Omit<Compiled, 'folder'>) };
}
