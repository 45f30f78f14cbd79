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
import { observe, type Observed } from '../../../../test/support/processes.js';

/** Which process a request goes to. */
export type Choice = (headers: IncomingHttpHeaders) => number;

/** Gives each request to the next process. */
export function inTurn(): Choice {
  let turn = 0;
  return () => turn++;
}

/** The process that the header `x-process` names, or that of another choice. */
export function orNamed(choose: Choice): Choice {
  return (headers) => Number(headers['x-process'] ?? choose(headers));
}

/** Two processes of an application, which print their port, behind a proxy. */
export class Cluster {
  readonly children: ChildProcess[] = [];
  private readonly observed: Observed[] = [];
  private readonly ports: number[] = [];
  private args: readonly string[] = [];
  private proxy: Server | undefined;

  /**
   * @param args of each process: the file of the application and what follows
   * @param port of the proxy; 0: any
   * @returns the endpoint behind the proxy
   */
  async start(args: readonly string[], choose: Choice, port = 0): Promise<string> {
    this.args = args;
    await Promise.all([this.run(0), this.run(1)]);
    this.proxy = createServer((incoming, outgoing) => this.pass(incoming, outgoing, choose));
    // On a busy machine, a client could use a connection again in the moment in which it is closed as idle.
    this.proxy.keepAliveTimeout = 0;
    this.proxy.listen(port, '127.0.0.1');
    await once(this.proxy, 'listening');
    return endpointAt((this.proxy.address() as AddressInfo).port);
  }

  /** The endpoint of one process. */
  endpointOf(index: number, path?: string): string {
    return endpointAt(this.ports[index]!, path);
  }

  /** Ends a process without a chance to tidy up. The proxy then uses the other. */
  async kill(index: number): Promise<void> {
    const child = this.children[index]!;
    child.kill('SIGKILL');
    await this.observed[index]!.end();
  }

  /** Ends a process as `kill()` does, and starts another in its place. */
  async replace(index: number): Promise<void> {
    await this.kill(index);
    await this.run(index);
  }

  async stop(): Promise<void> {
    this.proxy?.closeAllConnections();
    this.proxy?.close();
    await Promise.all(
      this.children.map(async (child, index) => {
        child.kill();
        await this.observed[index]!.end();
      }),
    );
  }

  private async run(index: number): Promise<void> {
    const child = spawn(process.execPath, this.args, {
      stdio: 'pipe',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    this.children[index] = child;
    // What a process reports while tests run belongs into the output of the run.
    child.stderr.pipe(process.stderr, { end: false });
    this.observed[index] = observe(child);
    const [, port] = await this.observed[index].until(/^(\d+)\n/m);
    this.ports[index] = Number(port);
  }

  private pass(incoming: IncomingMessage, outgoing: ServerResponse, choose: Choice): void {
    const { method, url, headers } = incoming;
    const living = this.ports.filter((_, i) => this.children[i]!.signalCode === null);
    const port = living[choose(headers) % living.length];
    const target = { host: '127.0.0.1', port, method, path: url, headers, agent: false };
    const onward = request(target, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.on('error', () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }
}

function endpointAt(port: number, path = '/_mcp/messages'): string {
  return `http://127.0.0.1:${port}${path}`;
}
