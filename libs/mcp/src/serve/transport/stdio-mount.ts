import { Logger } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { callerOf, localOrigin } from '../call/caller.js';
import type { EndpointOptions } from '../../mcp.defaults.js';
import { tooLarge } from '../protocol/refusals.js';
import type { Operations } from '../methods/operations.js';
import type { HostApplication } from '../../publish/routes/host-application.js';
import { sessionProtocol } from '../revisions/2025-11-25/session/session-methods.js';
import { Stateless } from '../revisions/2026-07-28/stateless.js';
import { Mount } from './mount.js';
import { StdioConnection } from './stdio-connection.js';
import { LONGEST_LINE, StdioLines } from './stdio-lines.js';
import { takeStdout } from './stdout.js';

/**
 * Serves the parent process on stdin and stdout. The HTTP server does not listen, but the listeners
 * of the server handle the calls of tools. `listen()` in `main.ts` starts to read stdin instead.
 * The promise of `listen()` never resolves.
 */
export class StdioMount extends Mount {
  readonly places = ['stdin and stdout'];
  /** Sessions are not counted over stdio. */
  readonly openSessions = 0;
  private readonly logger = new Logger('McpModule');
  private operations: Operations | undefined;
  private connection: StdioConnection | undefined;
  private leaving: Promise<void> | undefined;

  constructor(
    private readonly options: EndpointOptions,
    application: HostApplication,
  ) {
    super();
    takeStdout();
    application.onAdapter((adapter) => this.serveInsteadOfListening(adapter));
  }

  open([operations]: readonly Operations[]): Promise<void> {
    this.operations = operations;
    return Promise.resolve();
  }

  resourceUpdated(uri: string): void {
    this.connection?.resourceUpdated(uri);
  }

  async close(): Promise<void> {
    await this.drain();
    if (this.connection) process.stdin.pause();
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

    const token = process.env['FLEDGE_MCP_TOKEN'];
    const origin = localOrigin(token === undefined ? [] : ['authorization', `Bearer ${token}`]);
    const { options } = this;
    const output = takeStdout();
    this.connection = new StdioConnection({
      output,
      operations,
      protocol: sessionProtocol(options, operations),
      stateless: new Stateless(options, operations),
      caller: callerOf(origin, operations.pickHeaders, options.path),
    });
    this.read(this.connection);
    // An error means that the parent has closed the pipe and reads no more output.
    output.once('error', () => this.leave());
  }

  private read(connection: StdioConnection): void {
    const lines = new StdioLines();
    process.stdin.on('data', (chunk: Buffer) => {
      const complete = lines.read(chunk);
      if (complete) return complete.forEach((line) => connection.receive(line));
      connection.refuse(tooLarge(LONGEST_LINE));
      this.leave();
    });
    process.stdin.once('end', () => this.leave());
  }

  private leave(): void {
    this.leaving ??= this.drain().then(leave, leave);
  }

  /**
   * Waits until running calls have ended, the responses are written and the observers have
   * finished.
   */
  private async drain(): Promise<void> {
    const { connection, operations } = this;
    // The extensions must be closed even if `listen()` was never called, because the extensions are
    // created at startup.
    await operations?.close((limitMs) => connection?.drain(limitMs));
  }
}

/**
 * If the application has shutdown hooks, runs them as SIGTERM does. A real signal would arrive too
 * late if nothing else keeps the process running.
 */
function leave(): void {
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(0);
}
