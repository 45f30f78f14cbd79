import { NotAddedError } from '../cli.errors.js';
import type { ReadText } from '../entry/out-dir.js';
import { readJsonObject } from '../json.js';
import type { AddedModule, Addition, Project } from './addition.js';
import type ts from 'typescript';
import { plainName } from '../server-name.js';
import type { Sources } from './exported-class.js';
import { importFinder } from './imported-file.js';
import { withServer } from './mcp-json.js';
import { usesModule } from './module-use.js';
import { addToImports } from './module-imports.js';
import { addPeers, dependenciesOf, type Installed, type Manifest } from './peers.js';
import { rootModuleOf } from './root-module.js';

export interface AddRequest {
  readonly addition: Addition;
  /** The package.json of the package to add. */
  readonly manifest: Manifest;
  readonly sourceRoot: string;
  /** True if the server is written into `.mcp.json`. */
  readonly mcpJson: boolean;
}

/** The application that `nest add` edits. All paths are relative to its folder. */
export interface Application {
  readonly read: ReadText;
  /** The TypeScript files below a folder. */
  readonly sources: (folder: string) => readonly string[];
  readonly installed: Installed;
}

/** The files that `nest add` writes, and the text that it prints. */
export interface AddPlan {
  /** The new contents of files, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** True if dependencies were added to package.json. The dependencies must then be installed. */
  readonly installs: boolean;
  readonly message: string;
}

const JEST = `Jest must compile the Fledge packages, because they are ES modules. Copy the Jest configuration
from docs/commonjs.md of @fledge/core. Otherwise tests fail with "Cannot use import statement outside a module".`;

/** The MCP endpoint of an application that uses the default port of `nest new`. */
const ENDPOINT = 'http://localhost:3000/_mcp/messages';

/**
 * Computes the changes that `nest add` makes. A second run of `nest add` changes nothing.
 * @throws CliError if the application cannot be edited
 */
export function planOf(request: AddRequest, app: Application, compiler: typeof ts): AddPlan {
  const { addition, manifest } = request;
  const project = projectOf(app.read);
  const reason = addition.refuses?.(project);
  if (reason !== undefined) throw new NotAddedError(reason, 'not for this application');
  const peers = addPeers(app.read('package.json') ?? '{}', manifest, app.installed);
  const files = new Map<string, string>();
  const notes = Object.entries(peers.added).map(
    ([name, range]) => `Added ${name} ${range} to package.json.`,
  );
  if (notes.length > 0) files.set('package.json', peers.text);
  if (addition.module !== undefined) {
    const edited = withModule(addition.module, request, { app, project, compiler });
    if (edited.text !== undefined) files.set(edited.path, edited.text);
    notes.push(edited.note);
  }
  if (request.mcpJson) {
    const text = withServer(app.read('.mcp.json'), {
      name: plainName(project.name),
      entry: { type: 'http', url: ENDPOINT },
    });
    if (text !== undefined) files.set('.mcp.json', text);
    notes.push(`.mcp.json has the server "${plainName(project.name)}" at ${ENDPOINT}.`);
  }
  if (project.needsJestSetting) notes.push('', JEST);
  const message = `${[...notes, '', addition.next(project)].join('\n').trim()}\n`;
  return { files, installs: files.has('package.json'), message };
}

/**
 * Returns the facts about the application. The texts of an `Addition` depend on them.
 * @throws BadJsonError
 */
export function projectOf(read: ReadText): Project {
  const cure = 'Correct the file, then run nest add again.';
  const manifest = readJsonObject('package.json', read('package.json') ?? '{}', cure);
  const name = manifest['name'];
  const dependencies = new Set(dependenciesOf(manifest).keys());
  return {
    name: typeof name === 'string' && name !== '' ? name.replace(/^@[^/]*\//, '') : 'app',
    dependencies,
    needsJestSetting: dependencies.has('jest') && manifest['type'] !== 'module',
  };
}

/** Matches test files and files in test folders. */
const OF_TESTS = /\.(e2e-)?(spec|test)\.ts$|(^|\/)(__tests__|tests?|testing|e2e)\//;

function withModule(
  module: AddedModule,
  { manifest, sourceRoot }: AddRequest,
  { app, project, compiler }: { app: Application; project: Project; compiler: typeof ts },
): { readonly path: string; readonly text?: string; readonly note: string } {
  const wanted = { name: module.name, from: manifest.name };
  const sources: Sources = { read: app.read, find: importFinder(app.read, sourceRoot), compiler };
  const root = rootModuleOf(sources, sourceRoot);
  const own = app.sources(sourceRoot).filter((path) => !OF_TESTS.test(path));
  const loaded = root.entry === undefined ? [] : loadedBy(root.entry, sources);
  const present = [...own, ...loaded].find((path) =>
    usesModule(app.read(path) ?? '', wanted, compiler),
  );
  if (present !== undefined) {
    return { path: present, note: `${present} already uses ${module.name}.` };
  }
  const added = { name: module.name, call: module.call(project), from: manifest.name };
  const text = addToImports(app.read(root.path) ?? '', root, added, compiler);
  return {
    path: root.path,
    text,
    note: `Added ${module.name} to ${root.className} in ${root.path}.`,
  };
}

/**
 * Returns a source file and every source file that it imports, directly or indirectly. Includes the
 * libraries of a monorepo.
 */
function loadedBy(entry: string, { read, find, compiler }: Sources): ReadonlySet<string> {
  const found = new Set([entry]);
  // The loop also visits paths that its body adds to the set.
  for (const path of found) {
    const { importedFiles } = compiler.preProcessFile(read(path) ?? '', true, true);
    for (const { fileName } of importedFiles) {
      const file = find(fileName, path);
      if (file !== undefined) found.add(file);
    }
  }
  return found;
}
