import { Logger } from '@nestjs/common';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { callerOf, localOrigin } from '../calls/caller.js';
import type { EndpointOptions } from '../mcp.defaults.js';
import { statelessServers } from '../stateless/stateless-sdk.js';
import { methodsOf } from '../operations/methods.js';
import type { Operations } from '../operations/operations.js';
import { roundStateCodec } from '../stateless/input-rounds.js';
import type { CallWatches } from '../messages/call-watches.js';
import { clientMessageOf } from '../messages/json-rpc.js';
import type { HostApplication } from '../routes/host-application.js';
import { Mount } from './mount.js';
import { tasksFor, type Tasks } from '../stateless/tasks/tasks.js';
import { StdioCalls } from './stdio-calls.js';
import { StdioTransport } from './stdio-transport.js';
import { CLOSING_GRACE_MS } from '../messages/under-way.js';
import { takeStdout } from './stdout.js';

/**
 * Serves the parent process on stdin and stdout, for clients of every revision. Calls run through the HTTP
 * server's listeners, but the server does not listen: `listen()` in `main.ts` starts to read stdin instead,
 * and its promise stays pending.
 */
export class StdioMount extends Mount {
  readonly places = ['stdin and stdout'];
  /** A parent process has no session. */
  readonly openSessions = 0;
  private readonly logger = new Logger('McpModule');
  private operations: Operations | undefined;
  private transport: StdioTransport | undefined;
  private drained: Promise<void> | undefined;
  private tasks: Tasks | undefined;
  private leaving: Promise<void> | undefined;

  constructor(
    private readonly options: EndpointOptions,
    application: HostApplication,
    private readonly watches: CallWatches,
  ) {
    super();
    takeStdout();
    application.onAdapter((adapter) => this.serveInsteadOfListening(adapter));
  }

  open([operations]: readonly Operations[]): Promise<void> {
    this.operations = operations;
    return Promise.resolve();
  }

  /** Does nothing: only the HTTP endpoint keeps subscriptions. */
  resourceUpdated(): void {}

  async close(): Promise<void> {
    await this.drain();
    await this.transport?.close();
  }

  private serveInsteadOfListening(adapter: AbstractHttpAdapter): void {
    adapter.listen = () => {
      this.serve(adapter, this.operations as Operations).catch((error: unknown) => {
        this.logger.error('MCP over stdio could not start', error);
        process.exit(1);
      });
    };
  }

  private async serve(adapter: AbstractHttpAdapter, operations: Operations): Promise<void> {
    const instance = adapter.getInstance<{ ready?: () => PromiseLike<unknown> }>();
    if (adapter.getType() === 'fastify') await instance.ready?.();

    const sdk = await import('@modelcontextprotocol/server');
    const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
    const token = process.env['FLEDGE_MCP_TOKEN'];
    const origin = localOrigin(token === undefined ? [] : ['authorization', `Bearer ${token}`]);
    const { options } = this;
    const caller = callerOf(origin, undefined, options.path);
    const calls = new StdioCalls(this.watches, caller);
    const codec = roundStateCodec(sdk, options);
    this.tasks = await tasksFor(options, operations);
    const setup = { sdk, options, operations, codec, tasks: this.tasks };
    const createServer = statelessServers(setup, ({ mcpReq }) => calls.callerOf(mcpReq.id));
    const paramsFault = operations.paramsCheck([
      'initialize',
      'logging/setLevel',
      ...methodsOf(operations).keys(),
    ]);
    const streams = { input: process.stdin, output: takeStdout() };
    const rewrite = (message: JSONRPCMessage) =>
      operations.rewrite(clientMessageOf(message), origin.headers);
    const onEnd = () => {
      this.leaving ??= this.drain().then(leave, leave);
    };
    const transport = new StdioTransport(sdk, streams, { paramsFault, onEnd, calls, rewrite });
    this.transport = transport;
    serveStdio(createServer, {
      transport,
      onerror: (error) => this.logger.debug(`A message was refused: ${error.message}`),
    });
  }

  /** Waits until running calls are answered and the answers are written. */
  private drain(): Promise<void> {
    const limitMs = (this.operations?.longestCallMs ?? 0) + CLOSING_GRACE_MS;
    this.drained ??= this.tasks
      ? this.tasks.close().then(() => this.transport?.drain(limitMs))
      : this.transport?.drain(limitMs);
    return this.drained ?? Promise.resolve();
  }
}

/** Ends the process after the parent has left, by SIGTERM if the application has shutdown hooks. */
function leave(): void {
  if (process.listenerCount('SIGTERM') > 0) process.kill(process.pid, 'SIGTERM');
  else process.exit(0);
}
