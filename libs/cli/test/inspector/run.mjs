// `fledge mcp inspect` with the MCP Inspector that libs/mcp/test/clients installs: its page answers, it connects to the
// application, and all of it ends with Ctrl-C. It needs Node.js 22.19 and a download, so it is no part of `npm test`.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TextDecoder } from 'node:util';

if (Number(process.versions.node.split('.')[0]) < 22) {
  const args = ['--yes', '--package=node@22', '--', 'node', fileURLToPath(import.meta.url)];
  execFileSync('npx', args, { stdio: 'inherit' });
  process.exit();
}
const cwd = fileURLToPath(new URL('../../../mcp/test/clients', import.meta.url));
if (!existsSync(`${cwd}/node_modules`)) {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', args, { cwd, stdio: 'inherit' });
}
const path = (file) => fileURLToPath(new URL(file, import.meta.url));
const PORT = '6399';
const PAGE = `http://localhost:${PORT}`;

const app = spawn(process.execPath, [path('../apps/noisy.mjs')], {
  env: { ...process.env, PORT: '0' },
});
const url = (await printedBy(app, /^at (http:\S+)/m)).replace('[::1]', 'localhost');
for (const options of [
  ['--entry', path('../apps/noisy.mjs')],
  ['--http', `${url}/_mcp/messages`],
]) {
  await inspect(options);
  console.log(`ok  ${options[0]}`);
}
app.kill();

async function inspect(options) {
  const child = spawn(
    process.execPath,
    [path('../../dist/main.js'), 'mcp', 'inspect', ...options],
    {
      cwd,
      env: {
        ...process.env,
        CLIENT_PORT: PORT,
        MCP_AUTO_OPEN_ENABLED: 'false',
        MCP_INSPECTOR_SECRET_STORE: 'memory',
      },
    },
  );
  const token = await printedBy(child, /MCP_INSPECTOR_API_TOKEN=(\w+)/);
  assert.equal((await fetch(`${PAGE}/api/servers`)).status, 401);
  const headers = { 'x-mcp-remote-auth': `Bearer ${token}`, 'content-type': 'application/json' };
  const ask = async (path, body) => {
    const request = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(PAGE + path, { headers, ...request });
    assert.equal(response.status, 200, path);
    return response;
  };
  assert.match(await (await ask('/')).text(), /<title>MCP Inspector/);
  const { mcpServers } = await (await ask('/api/servers')).json();
  const [config] = Object.values(mcpServers);
  const { sessionId } = await (await ask('/api/mcp/connect', { config })).json();
  const events = await ask(`/api/mcp/events?sessionId=${sessionId}`);
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'run', version: '1.0.0' },
  };
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  await ask('/api/mcp/send', { sessionId, message });
  const decoder = new TextDecoder();
  let seen = '';
  for await (const chunk of events.body) {
    seen += decoder.decode(chunk);
    if (/"serverInfo":\{"name":"noisy"/.test(seen)) break;
  }
  child.kill('SIGINT');
  const code = await new Promise((resolve) => child.once('exit', resolve));
  assert.equal(code, 0);
  await assert.rejects(fetch(PAGE));
}

function printedBy(child, pattern) {
  let output = '';
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        const found = pattern.exec(output)?.[1];
        if (found) resolve(found);
      });
    }
    child.once('exit', () => reject(new Error(output)));
  });
}
