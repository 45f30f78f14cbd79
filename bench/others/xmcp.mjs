// xmcp, as create-xmcp-app sets one up. Its compiler bundles the application before it runs.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { report } from './task.mjs';

const PORT = 39_771;
const folder = `${import.meta.dirname}/xmcp`;
const program = `${folder}/dist/http.js`;
if (!existsSync(program)) execFileSync('npx', ['xmcp', 'build'], { cwd: folder, stdio: 'ignore' });
createRequire(import.meta.url)(program);
while (!(await isListening())) await new Promise((resolve) => setTimeout(resolve, 5));
report(PORT);

async function isListening() {
  return fetch(`http://127.0.0.1:${PORT}/`).then(
    () => true,
    () => false,
  );
}
