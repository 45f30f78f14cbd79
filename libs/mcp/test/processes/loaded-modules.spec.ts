// Of the built package, in a process of its own: Jest has a module registry of its own.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';

const at = (file: string) => fileURLToPath(new URL(`../loaded/${file}`, import.meta.url));

interface Run {
  readonly code: number | null;
  readonly stderr: string;
  /** What the process loaded at boot, and then with each client. */
  readonly phases: readonly Phase[];
}

interface Phase {
  /** What the client of the phase was answered. */
  readonly answer: string;
  readonly modules: readonly string[];
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
  const child = spawn(
    process.execPath,
    ['--no-warnings', '--import', at('trace.mjs'), at('app.mjs'), ...args],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } },
  );
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const stderr = await text(child.stderr);
  const phases: Phase[] = [];
  let modules: string[] = [];
  for (const line of stderr.split('\n')) {
    const [, url] = /^loaded (.*)/.exec(line) ?? [];
    if (url !== undefined) modules.push(url);
    else if (/^(boot|session|plain-call|stateless) /.test(line)) {
      phases.push({ answer: line, modules });
      modules = [];
    }
  }
  phases.push({ answer: '', modules });
  return { code: await ended, stderr, phases };
}

async function modulesOf(...args: string[]): Promise<readonly string[]> {
  const { code, stderr, phases } = await run(args);
  if (code !== 0) throw new Error(stderr);
  return phases.flatMap(({ modules }) => modules);
}

/** The packages of modules, without the application's own. */
function packagesOf(modules: readonly string[]): Set<string> {
  const names = modules.flatMap(
    (url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? [],
  );
  return new Set(names);
}

const SDK = '@modelcontextprotocol/';
const CLIENTS = ['plain-call', 'session', 'stateless'];

describe('an application whose controllers carry @McpTool', () => {
  it('loads a few files of this package and nothing else', async () => {
    const before = new Set(await modulesOf('plain'));
    const added = (await modulesOf('decorator')).filter((url) => !before.has(url));
    expect(added.filter((url) => !url.includes('/libs/mcp/dist/'))).toEqual([]);
    expect(added.some((url) => url.endsWith('/mcp/dist/index.js'))).toBe(true);
    expect(added.length).toBeLessThanOrEqual(16);
  });
});

describe('an application with McpModule', () => {
  let served: Run;
  let loaded: Set<string>;
  beforeAll(async () => {
    served = await run(['module', ...CLIENTS]);
    loaded = packagesOf(served.phases.flatMap(({ modules }) => modules));
    expect([served.code, loaded.has('ajv')]).toEqual([0, true]);
  });

  it('loads the search library with the option search alone', async () => {
    expect(loaded).not.toContain('minisearch');
    expect(packagesOf(await modulesOf('search'))).toContain('minisearch');
  });

  it('loads jose with tokens of a provider alone, and boots without the provider', async () => {
    expect(loaded).not.toContain('jose');
    expect(packagesOf(await modulesOf('oidc'))).toContain('jose');
  });

  it('serves clients of each protocol version without an SDK', async () => {
    const { code, phases } = await run(['module', ...CLIENTS], { MISSING: SDK });
    expect(phases.map(({ answer }) => answer)).toEqual([
      'boot ',
      expect.stringMatching(/^plain-call 200 .*"resultType":"complete"/),
      expect.stringMatching(/^session 200 .*"protocolVersion":"2025-11-25"/),
      expect.stringMatching(/^stateless 200 .*"supportedVersions"/),
      '',
    ]);
    expect(code).toBe(0);
  });

  it('loads nothing after it has started, so the first client waits no longer than the next', () => {
    const [boot, ...clients] = served.phases;
    expect(packagesOf(boot?.modules ?? [])).toContain('ajv');
    expect(clients.map(({ modules }) => modules)).toEqual([[], [], [], []]);
  });

  it('does not load @opentelemetry/api while no OpenTelemetry SDK is registered', () => {
    expect(loaded).not.toContain('@opentelemetry/api');
  });

  it('does not load graphql without tools of GraphQL operations', () => {
    expect(loaded).not.toContain('graphql');
  });
});
