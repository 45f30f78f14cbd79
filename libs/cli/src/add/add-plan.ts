import { NotAddedError } from '../cli.errors.js';
import type { ReadText } from '../entry/out-dir.js';
import { readJsonObject } from '../json.js';
import type { AddedModule, Addition, Project } from './addition.js';
import { withServer } from './mcp-json.js';
import { usesModule } from './module-use.js';
import { addToImports, type EditTools } from './module-imports.js';
import { addPeers, dependenciesOf, type Manifest } from './peers.js';
import { rootModuleOf } from './root-module.js';

export interface AddRequest {
  readonly addition: Addition;
  /** The package.json of the package. */
  readonly manifest: Manifest;
  readonly sourceRoot: string;
  /** Whether to write the server into `.mcp.json`. */
  readonly mcpJson: boolean;
}

/** The application: its files by path relative to its folder. */
export interface Application {
  readonly read: ReadText;
  /** The TypeScript files below a folder. */
  readonly sources: (folder: string) => readonly string[];
}

/** All that `nest add` writes and prints. */
export interface AddPlan {
  /** New texts by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Whether package.json has new dependencies. */
  readonly installs: boolean;
  readonly message: string;
}

/** Where MCP clients reach an application that listens as `nest new` writes it. */
const ENDPOINT = 'http://localhost:3000/_mcp/messages';

/**
 * Works out what `nest add` changes. Running it on the result changes nothing more.
 * @throws CliError if the application cannot be edited
 */
export function planOf(request: AddRequest, app: Application, tools: EditTools): AddPlan {
  const { addition, manifest } = request;
  const project = projectOf(app.read);
  const reason = addition.refuses?.(project);
  if (reason !== undefined) throw new NotAddedError(reason);
  const peers = addPeers(app.read('package.json') ?? '{}', manifest);
  const files = new Map<string, string>();
  const notes = Object.entries(peers.added).map(
    ([name, range]) => `Added ${name} ${range} to package.json.`,
  );
  if (notes.length > 0) files.set('package.json', peers.text);
  if (addition.module !== undefined) {
    const edited = withModule(addition.module, request, { app, project, tools });
    if (edited.text !== undefined) files.set(edited.path, edited.text);
    notes.push(edited.note);
  }
  if (request.mcpJson) {
    const text = withServer(app.read('.mcp.json'), {
      name: project.name,
      entry: { type: 'http', url: ENDPOINT },
    });
    if (text !== undefined) files.set('.mcp.json', text);
    notes.push(`.mcp.json has the server "${project.name}" at ${ENDPOINT}.`);
  }
  const message = `${[...notes, '', addition.next(project)].join('\n').trim()}\n`;
  return { files, installs: files.has('package.json'), message };
}

/**
 * Reads what the printed texts say about the application.
 * @throws BadJsonError
 */
export function projectOf(read: ReadText): Project {
  const cure = 'Correct it, then run nest add again.';
  const manifest = readJsonObject('package.json', read('package.json') ?? '{}', cure);
  const name = manifest['name'];
  return {
    name: typeof name === 'string' && name !== '' ? name.replace(/^@[^/]*\//, '') : 'app',
    dependencies: new Set(dependenciesOf(manifest).keys()),
  };
}

/** Files and folders of tests. */
const OF_TESTS = /\.(e2e-)?(spec|test)\.ts$|(^|\/)(__tests__|tests?|testing|e2e)\//;

function withModule(
  module: AddedModule,
  { manifest, sourceRoot }: AddRequest,
  { app, project, tools }: { app: Application; project: Project; tools: EditTools },
): { readonly path: string; readonly text?: string; readonly note: string } {
  const wanted = { name: module.name, from: manifest.name };
  const present = app
    .sources(sourceRoot)
    .filter((path) => !OF_TESTS.test(path))
    .find((path) => usesModule(app.read(path) ?? '', wanted, tools.compiler));
  if (present !== undefined) {
    return { path: present, note: `${present} has ${module.name} already.` };
  }
  const root = rootModuleOf(app.read, sourceRoot, tools.compiler);
  const added = { name: module.name, call: module.call(project), from: manifest.name };
  const text = addToImports(app.read(root.path) ?? '', root, added, tools);
  return {
    path: root.path,
    text,
    note: `Added ${module.name} to ${root.className} in ${root.path}.`,
  };
}
