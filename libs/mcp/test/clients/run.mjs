// Runs MCP clients of others against a built application, each twice in a row: none of them ends its
// session. `node libs/mcp/test/clients/run.mjs` installs them here first (400 MB with Node 24, which
// some need), so it is no part of `npm test`.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('.', import.meta.url));
if (Number(process.versions.node.split('.')[0]) < 24) {
  const args = ['--yes', '--package=node@24', '--', 'node', fileURLToPath(import.meta.url)];
  execFileSync('npx', args, { cwd, stdio: 'inherit' });
  process.exit();
}
if (!existsSync(new URL('node_modules', import.meta.url))) {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', args, { cwd, stdio: 'inherit' });
}

const bin = (name) => `node_modules/.bin/${name}`;
const CLIENTS = [
  {
    name: 'MCP Inspector',
    places: 1,
    args: (url) =>
      [bin('mcp-inspector'), '--cli', url, '--transport', 'http', '--method', 'tools/call'].concat([
        '--tool-name',
        'hello',
      ]),
  },
  {
    name: 'mcporter',
    places: 1,
    args: (url) => [bin('mcporter'), 'call', `${url}.hello`, '--allow-http'],
  },
  // Tries the endpoint with a session that it keeps, beside the one it works with.
  { name: 'mcp-remote', places: 2, args: (url) => ['mcp-remote.mjs', url] },
  {
    name: 'mcp-remote --protocol auto',
    places: 1,
    args: (url) => ['mcp-remote.mjs', url, '--protocol', 'auto'],
  },
  { name: 'LangChain', places: 1, args: (url) => ['langchain.mjs', url] },
];

let failed = false;
for (const platform of ['Express', 'Fastify']) {
  for (const { name, places, args } of CLIENTS) {
    const { url, stop } = await serve(platform, places);
    for (const run of ['first', 'second']) {
      const { code, output } = await finished(args(url));
      const served = code === 0 && /hello.*from the route/s.test(output);
      failed ||= !served;
      console.log(`${served ? 'ok    ' : 'FAILED'} ${platform}, ${name}, ${run} run`);
      if (!served) console.log(output);
    }
    console.log(`       ${await stop()}`);
  }
}
process.exit(failed ? 1 : 0);

async function serve(platform, places) {
  const child = spawn(process.execPath, ['app.mjs', platform, String(places)], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value: port } = await lines.next();
  return {
    url: `http://127.0.0.1:${port}/_mcp/messages`,
    async stop() {
      child.kill('SIGTERM');
      return (await lines.next()).value;
    },
  };
}

function finished(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd, timeout: 120_000 });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => (output += chunk));
    }
    child.on('close', (code) => resolve({ code, output }));
  });
}
