// Counts what one warm tool call does in @fledge/mcp and @fledge/core, for both generations of clients on both platforms:
// files and functions entered, moves between files and between folders, and promises (those of Nest and Node.js too).
// With --files it lists the files in the order in which they are entered.
import { createHook } from 'node:async_hooks';
import { request } from 'node:http';
import { register } from 'node:module';

register('./loader.mjs', import.meta.url);
const { platforms, startApp } = await import('./app.ts');

const withFiles = process.argv.includes('--files');
const VERSIONS = ['2025-11-25', '2026-07-28'];
const CLIENT = { name: 'trace-call', version: '1.0.0' };
const TOOL = { name: 'notes_get', arguments: { id: '1' } };

const rows = [];
for (const [platform, adapter] of Object.entries(platforms)) {
  const app = await startApp(adapter());
  const url = `${await app.getUrl()}/_mcp/messages`;
  for (const version of VERSIONS) {
    const call = version === VERSIONS[0] ? await openSession(url) : () => callWithoutSession(url);
    for (let warm = 0; warm < 20; warm++) await call();
    rows.push({ platform, version, ...(await traced(call)) });
  }
  await app.close();
}
console.table(rows.map(({ files, ...counts }) => ({ ...counts, files: files.length })));
if (withFiles) {
  for (const { platform, version, files } of rows) {
    console.log(`\n${platform}, ${version}\n  ${files.join('\n  ')}`);
  }
}

/** Runs a call once, and counts. */
async function traced(call) {
  const entered = [];
  let promises = 0;
  const hook = createHook({ init: (_id, type) => void (type === 'PROMISE' && promises++) });
  globalThis.entered = (file) => void entered.push(file);
  hook.enable();
  await call();
  hook.disable();
  delete globalThis.entered;
  const own = entered.filter((file) => /^libs\/(mcp|core)\//.test(file));
  const folders = own.map((file) => file.slice(0, file.lastIndexOf('/')));
  return {
    functions: own.length,
    files: [...new Set(own)],
    fileMoves: countMoves(own),
    folderMoves: countMoves(folders),
    promises,
  };
}

function countMoves(places) {
  return places.filter((place, i) => i > 0 && place !== places[i - 1]).length;
}

async function openSession(url) {
  const { headers } = await send(url, {
    method: 'initialize',
    params: { protocolVersion: VERSIONS[0], capabilities: {}, clientInfo: CLIENT },
  });
  return () =>
    send(
      url,
      { method: 'tools/call', params: TOOL },
      { 'mcp-session-id': headers['mcp-session-id'] },
    );
}

function callWithoutSession(url) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': VERSIONS[1],
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return send(
    url,
    { method: 'tools/call', params: { ...TOOL, _meta } },
    { 'mcp-protocol-version': VERSIONS[1], 'mcp-method': 'tools/call', 'mcp-name': TOOL.name },
  );
}

/** Sends a message without promises of its own but one. */
function send(url, message, headers = {}) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    });
    sent.once('error', reject).once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => void (text += chunk));
      response.once('end', () => {
        if (response.statusCode === 200 && !text.includes('"error"')) resolve(response);
        else reject(new Error(`${response.statusCode} ${text}`));
      });
    });
    sent.end(body);
  });
}
