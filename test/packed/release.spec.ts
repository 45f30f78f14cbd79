// The scripts around a release, run on packages that are made here: real npm, API Extractor, publint and changesets.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { run as runToEnd } from '../support/ended.js';
import { root } from '../support/snippets.js';

let folder: string;
const makeFolder = () => {
  folder = mkdtempSync(join(tmpdir(), 'fledge-release-spec-'));
};
const removeFolder = () => rmSync(folder, { recursive: true });
beforeEach(makeFolder);
afterEach(removeFolder);

function write(path: string, content: string | object): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
}

function run(command: string, ...args: string[]) {
  // As outside of the workflow.
  return runToEnd(command, args, { cwd: folder, env: { ACTIONS_ID_TOKEN_REQUEST_URL: undefined } });
}

const script = (name: string, ...args: string[]) =>
  run(process.execPath, join(root, 'scripts', name), ...args);

/** A package with one entry point, as it stands after a build. */
function writePackage(lib: string, types: string, version = '1.2.0', dependencies = {}): void {
  write(`libs/${lib}/package.json`, {
    name: `@sample/${lib}`,
    version,
    license: 'MIT',
    type: 'module',
    files: ['dist'],
    main: './dist/index.js',
    types: './dist/index.d.ts',
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    dependencies,
  });
  write(`libs/${lib}/dist/index.d.ts`, types);
  write(`libs/${lib}/dist/index.js`, 'export const greet = () => "hello";\n');
}

const GREET = `interface Named { readonly name: string }
export declare function greet(named: Named): string;
`;

describe('the reports of public types', () => {
  const reports = () => readdirSync(join(folder, 'api'));
  let written: ReturnType<typeof script>;
  let compared: ReturnType<typeof script>;
  let accepted: ReturnType<typeof script>;
  let comparedAgain: ReturnType<typeof script>;
  let reportsBefore: string[];
  let reportsAfter: string[];

  // Four runs for all tests: API Extractor takes seconds.
  beforeAll(() => {
    makeFolder();
    for (const lib of ['changed', 'gone', 'hidden', 'same']) writePackage(lib, GREET);
    written = script('api-reports.mjs', '--accept');
    reportsBefore = reports();
    rmSync(join(folder, 'libs/gone'), { recursive: true });
    writePackage('new', GREET);
    writePackage('changed', GREET.replace('): string', '): number'));
    writePackage('hidden', GREET.replace('string }', 'number }'));
    compared = script('api-reports.mjs');
    accepted = script('api-reports.mjs', '--accept');
    reportsAfter = reports();
    comparedAgain = script('api-reports.mjs');
    removeFolder();
  });

  it('are written with --accept', () => {
    expect(written).toMatchObject({ status: 0, output: '' });
    expect(reportsBefore).toEqual(
      ['changed', 'gone', 'hidden', 'same'].map((lib) => `${lib}.api.md`),
    );
  });

  it.each([
    ['an exported function', 'changed', '+ export function greet(named: Named): number;'],
    ['a type that is used but not exported', 'hidden', '+     readonly name: number }'],
  ])('name a change of %s, and the command that accepts it', (_what, lib, line) => {
    const { status, stderr } = compared;
    expect(status).toBe(1);
    expect(stderr).toContain(`The public types of @sample/${lib} differ from api/${lib}.api.md:`);
    expect(stderr).toContain(line);
    expect(stderr).toContain('run `npm run api:accept`, and `npx changeset` to announce it');
    expect(stderr).not.toContain('@sample/same');
  });

  it('are missing for a new entry point, and left over of a former one', () => {
    expect(compared.stderr).toContain(
      'The public types of @sample/new differ from api/new.api.md:',
    );
    expect(compared.stderr).toContain('api/gone.api.md belongs to no entry point.');
  });

  it('agree with the types once these are accepted', () => {
    expect(accepted).toMatchObject({ status: 0, output: '' });
    expect(reportsAfter).toEqual(
      ['changed', 'hidden', 'new', 'same'].map((lib) => `${lib}.api.md`),
    );
    expect(comparedAgain).toMatchObject({ status: 0, output: '' });
  });
});

describe('a release', () => {
  beforeEach(() => {
    write('package.json', {
      private: true,
      scripts: { build: 'node -e ""', 'check:api': 'node -e ""' },
    });
    writePackage('app', GREET, '1.2.0-rc.1', { '@sample/base': '^1.2.0-rc.1' });
    writePackage('base', GREET, '1.2.0-rc.1');
  });

  it('is only described with --dry-run: what, in which order, with which tag', () => {
    const { status, stdout, stderr } = script('release.mjs', '--dry-run');
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const lines = stdout.split('\n').filter((line) => line.startsWith('@sample/'));
    expect(lines).toEqual([
      expect.stringMatching(/^@sample\/base +1\.2\.0-rc\.1 +3 +\S+ kB +\S+ kB +next +no$/),
      expect.stringMatching(/^@sample\/app +1\.2\.0-rc\.1 +3 +\S+ kB +\S+ kB +next +no$/),
    ]);
    expect(stdout).toContain('Nothing was published: --dry-run.');
    expect(stderr).toContain('Start the workflow release.yml.');
  });

  it('is refused outside the workflow, with versions that differ, and while changesets wait', () => {
    writePackage('app', GREET, '1.3.0');
    write('.changeset/brave-owl.md', '---\n"@sample/app": minor\n---\n\nGreets\n');
    const { status, stdout, stderr } = script('release.mjs');
    expect(status).toBe(1);
    expect(stderr).toContain(
      'The packages have the versions 1.3.0, 1.2.0-rc.1, but must share one.',
    );
    expect(stderr).toContain('npm cannot sign provenance');
    expect(stderr).toContain('Changesets wait for a version: brave-owl.md.');
    expect(stdout).not.toContain('published');
  });

  it('is refused for a package that publint finds fault with', () => {
    rmSync(join(folder, 'libs/base/dist/index.js'));
    const { status, stderr } = script('release.mjs', '--dry-run');
    expect(status).toBe(1);
    expect(stderr).toContain('dist/index.js');
    expect(stderr).not.toContain('@sample/app has');
    expect(stderr).toContain('@sample/base has the faults above.');
  });
});

describe('the tarballs', () => {
  it('are packed, and installed by the line of README.md, or one by one after it', () => {
    write('package.json', { private: true, scripts: { build: 'node -e ""' } });
    write('README.md', '```sh\nnpm install left-pad\nnpm install @sample/app kleur # first\n```\n');
    writePackage('app', GREET, '1.2.0', { '@sample/base': '^1.2.0' });
    writePackage('base', GREET);
    writePackage('more', GREET);
    const manifest = JSON.parse(readFileSync(join(folder, 'libs/more/package.json'), 'utf8'));
    const peerDependencies = { '@nestjs/core': '*', graphql: '*', kleur: '*', ws: '*' };
    const peerDependenciesMeta = { ws: { optional: true } };
    write('libs/more/package.json', { ...manifest, peerDependencies, peerDependenciesMeta });
    const { status, stdout } = script('tarballs.mjs');
    expect(status).toBe(0);
    const at = (name: string) => join(realpathSync(folder), `tarballs/sample-${name}-1.2.0.tgz`);
    const commands = stdout.split('\n').filter((line) => line.includes('npm install'));
    expect(commands).toEqual([
      `  npm install ${at('base')} ${at('app')} kleur`,
      `  npm install ${at('more')} graphql`,
    ]);
    expect(readdirSync(join(folder, 'tarballs'))).toHaveLength(3);
  });
});

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const libs = readdirSync(join(root, 'libs'));
const manifestOf = (lib: string, at = root) =>
  JSON.parse(readFileSync(join(at, 'libs', lib, 'package.json'), 'utf8')) as Manifest;

it('a changeset for one package gives all packages the next version', () => {
  cpSync(join(root, '.changeset'), join(folder, '.changeset'), { recursive: true });
  write('package.json', { name: 'copy', private: true, workspaces: ['libs/*'] });
  write('package-lock.json', {});
  for (const lib of libs) write(`libs/${lib}/package.json`, manifestOf(lib));
  write('.changeset/brave-owl.md', '---\n"@fledge/tenant": minor\n---\n\nFinds tenants\n');
  const changeset = join(root, 'node_modules/@changesets/cli/bin.js');
  expect(run(process.execPath, changeset, 'version')).toMatchObject({ status: 0 });
  const [major, minor] = manifestOf('core').version.split('.').map(Number);
  const next = `${major}.${minor! + 1}.0`;
  const versions = libs.map((lib) => manifestOf(lib, folder).version);
  expect(versions).toEqual(libs.map(() => next));
  expect(manifestOf('cli', folder).dependencies).toMatchObject({ '@fledge/mcp': `^${next}` });
});

describe('VERSIONS.md', () => {
  const page = readFileSync(join(root, 'VERSIONS.md'), 'utf8');
  const rowOf = (name: string) => page.split('\n').find((line) => line.startsWith(`| ${name} `));

  it.each(libs)('names the versions that @fledge/%s asks for', (lib) => {
    const { engines, peerDependencies } = manifestOf(lib);
    expect(engines.node).toBe('>=20.19');
    expect(rowOf('Node.js')).toContain('20.19 and later');
    const nest = peerDependencies?.['@nestjs/common'];
    const least = lib === 'mcp' ? '11.1.4' : '11.0.0';
    if (nest !== undefined) expect(nest).toBe(`^${least} || ^12.0.0`);
    expect(rowOf('NestJS')).toContain('11 and 12');
  });

  it('names the revisions of MCP that the SDK serves in sessions', () => {
    for (const revision of SUPPORTED_PROTOCOL_VERSIONS) expect(rowOf('MCP')).toContain(revision);
  });
});
