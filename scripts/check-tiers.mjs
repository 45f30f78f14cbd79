// Checks that each spec belongs to exactly one tier, and that a spec of `npm test` requires only
// Node.js: it must not load a module that starts a process, opens a browser or connects to a
// server.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findTierFolders, listSpecs } from './tiers.mjs';

const PLACES =
  /^(?:internal\/[^/]+\/src|libs\/[^/]+\/(?:src|ui|test)|apps\/[^/]+\/(?:src|test)|test)\//;

/**
 * Imports that a spec of `npm test` must not reach. Clients of SQL databases are allowed, because
 * adapters are built on them.
 */
const FORBIDDEN =
  /from '((?:node:)?(?:child_process|cluster)|playwright-core|ioredis|amqplib|amqp-connection-manager|mqtt|@nats-io\/[^']+|[^']*\/support\/processes\.js)'/;

const faults = listSpecs().flatMap((spec) => {
  if (!PLACES.test(spec))
    return [
      `${spec} belongs to no tier: move it into src/ or test/ of a lib or an app, or into test/.`,
    ];
  const folders = findTierFolders(spec);
  if (folders.length > 1) return [`${spec} belongs to two tiers: ${folders.join(' and ')}.`];
  if (folders.length === 1) return [];
  const found = findForbiddenImport(spec);
  if (!found) return [];
  const [file, name] = found;
  const by = file === spec ? '' : `, by ${file}`;
  return [`${spec} imports ${name}${by}. Move it into processes/, databases/ or browsers/.`];
});

for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

/** Returns the first test file that imports such a module, and the name of the module. */
function findForbiddenImport(file, seen = new Set()) {
  if (seen.has(file)) return undefined;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const name = FORBIDDEN.exec(text)?.[1];
  if (name !== undefined) return [file, name];
  for (const [, path] of text.matchAll(/from '(\.[^']+)\.js'/g)) {
    const imported = join(dirname(file), `${path}.ts`);
    // Sources are not followed, because they load optional packages only on demand.
    if (/^(libs|apps)\/[^/]+\/src\//.test(imported) || !existsSync(imported)) continue;
    const found = findForbiddenImport(imported, seen);
    if (found) return found;
  }
  return undefined;
}
