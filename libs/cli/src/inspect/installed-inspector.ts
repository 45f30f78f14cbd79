import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NoInspectorError } from '../cli.errors.js';
import { foldersUpward } from '../entry/project-folder.js';
import { isObject } from '../json.js';

/** The package of the MCP Inspector. */
export const INSPECTOR = '@modelcontextprotocol/inspector';

/**
 * Finds the Inspector that is installed in the project. Downloads nothing.
 * @param from the folder in which the search starts. The search continues in the parent folders
 * @param node the version of Node.js that would run the Inspector, such as "22.19.0"
 * @param byHand the command that runs the Inspector without an installation. The message contains
 * it
 * @returns the absolute path of the Inspector's program
 * @throws NoInspectorError if the Inspector is not installed, or if it needs a newer Node.js
 */
export function installedInspector(from: string, node: string, byHand: string): string {
  const folder = foldersUpward(from)
    .map((above) => join(above, 'node_modules', INSPECTOR))
    .find((each) => existsSync(join(each, 'package.json')));
  if (folder === undefined) {
    throw new NoInspectorError(
      `${INSPECTOR} is not installed in ${from}. Install the package: npm install -D ${INSPECTOR}. Or run it once: ${byHand}`,
    );
  }
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { bin, engines, version } = isObject(manifest) ? manifest : {};
  const needed = isObject(engines) ? String(engines['node']) : '';
  if (isOlder(node, needed)) {
    throw new NoInspectorError(
      `${INSPECTOR} ${String(version)} requires Node.js ${needed}, but the current version is ${node}. Run the command with a newer Node.js.`,
    );
  }
  const program = isObject(bin) ? bin['mcp-inspector'] : undefined;
  if (typeof program !== 'string') {
    throw new NoInspectorError(
      `The program mcp-inspector is missing in ${folder}. Install the package again: npm install -D ${INSPECTOR}.`,
    );
  }
  return join(folder, program);
}

/**
 * Returns true if a version of Node.js is older than a range such as `>=22.19.0`. Returns false for
 * ranges in another form, because Node.js itself then checks the version.
 */
function isOlder(node: string, range: string): boolean {
  const least = /^>=\s*(\d+)(?:\.(\d+))?(?:\.(\d+))?$/.exec(range)?.slice(1);
  const parts = node.split('.').map(Number);
  for (const [i, part = '0'] of (least ?? []).entries()) {
    if (parts[i] !== Number(part)) return (parts[i] ?? 0) < Number(part);
  }
  return false;
}
