// Two processes of the built package behind a proxy that gives each request to the next of them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { textOf } from './support/clients.js';
import { connectEra, type EraClient } from './support/eras.js';
import { platforms } from '../../../test/support/platforms.js';

const APP = fileURLToPath(new URL('./scale-out/app.mjs', import.meta.url));
const SECRET = 'one secret for every process of the app';

/** Which process a request goes to. */
type Choice = (headers: IncomingHttpHeaders) => number;

class Cluster {
  readonly children: ChildProcess[] = [];
  private readonly ports: number[] = [];
  private proxy: Server | undefined;

  async start(platform: string, choose: Choice): Promise<string> {
    for (let i = 0; i < 2; i++) {
      const child = spawn(process.execPath, [APP, platform, SECRET], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      this.children.push(child);
    }
    for (const child of this.children) {
      const [line] = (await once(child.stdout!, 'data')) as [Buffer];
      this.ports.push(Number(line));
    }
    this.proxy = createServer((incoming, outgoing) => this.pass(incoming, outgoing, choose));
    this.proxy.listen(0, '127.0.0.1');
    await once(this.proxy, 'listening');
    return `http://127.0.0.1:${(this.proxy.address() as AddressInfo).port}/_mcp/messages`;
  }

  async stop(): Promise<void> {
    this.proxy?.closeAllConnections();
    this.proxy?.close();
    await Promise.all(
      this.children.map(async (child) => {
        child.kill();
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      }),
    );
  }

  private pass(incoming: IncomingMessage, outgoing: ServerResponse, choose: Choice): void {
    const { method, url, headers } = incoming;
    const port = this.ports[choose(headers) % 2]!;
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }
}

describe.each(platforms)('two processes behind a proxy, on $name', ({ name: platform }) => {
  let cluster: Cluster;
  let client: EraClient | undefined;

  beforeEach(() => {
    cluster = new Cluster();
  });
  afterEach(async () => {
    await client?.close().catch(() => undefined);
    client = undefined;
    await cluster.stop();
  });

  const inTurn = (): Choice => {
    let turn = 0;
    return () => turn++;
  };

  it('serve a client of 2026-07-28 without affinity, its elicitations too', async () => {
    const endpoint = await cluster.start(platform, inTurn());
    client = await connectEra('2026-07-28', endpoint, {
      elicit: ({ message }) => ({ action: 'accept', content: { ok: message === 'Sure?' } }),
    });
    const pids = new Set<unknown>();
    for (let i = 0; i < 6; i++) {
      pids.add((JSON.parse(textOf(await client.call('pid'))) as { pid: number }).pid);
    }
    expect(pids).toEqual(new Set(cluster.children.map(({ pid }) => pid)));
    // Three rounds: no process gets two of them in a row.
    expect(JSON.parse(textOf(await client.call('confirm')))).toMatchObject({
      answers: [true, false],
    });
  });

  it('serve a session only with affinity to the process that opened it', async () => {
    let home = 0;
    const endpoint = await cluster.start(platform, () => home);
    client = await connectEra('2025-11-25', endpoint);
    const first = JSON.parse(textOf(await client.call('pid'))) as { pid: number };
    expect(first.pid).toBe(cluster.children[0]!.pid);
    home = 1;
    await expect(client.call('pid')).rejects.toThrow(/Server not initialized|Session not found/);
    home = 0;
    expect(JSON.parse(textOf(await client.call('pid')))).toEqual(first);
  });
});
