import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import type { Tool } from '../registry/tool.js';
import type { CallOrigin } from './call.js';
import { answerVersionOfCalls } from './custom-version.js';
import { Exchange } from './exchange.js';
import { headerFilter } from './forwarded-headers.js';
import { type MessageFactory, messageFactoryFor } from './message-factory.js';
import { type RequestBuilder, requestBuilderOf, type ToolArguments } from './request-builder.js';

/**
 * Runs tool calls through the application's own HTTP server, in process: no socket, no redirect
 * followed, the whole pipeline as for a direct request.
 */
@Injectable()
export class Dispatcher {
  // Calls start here, outside of whatever context their MCP request runs in, as a request from the
  // wire does: no store of AsyncLocalStorage is shared between the two or between calls.
  private readonly outside = new AsyncResource('FledgeToolCall', { requireManualDestroy: true });
  private readonly builders = new Map<Tool, RequestBuilder>();
  private readonly versions = new WeakMap<IncomingMessage, string>();
  private pickHeaders: ReturnType<typeof headerFilter> = () => [];
  private responseBytes = 0;
  private server: Server | undefined;
  private messages: MessageFactory | undefined;

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly config: ApplicationConfig,
  ) {}

  /** Prepares the requests of every tool. Call it once, when the adapter is known. */
  prepare(tools: readonly Tool[], options: ResolvedMcpOptions): void {
    const adapter = this.adapterHost.httpAdapter;
    this.server = adapter.getHttpServer() as Server;
    this.messages = messageFactoryFor(adapter.getInstance(), this.versions);
    this.pickHeaders = headerFilter(options.forwardHeaders);
    this.responseBytes = options.limits.responseBytes;
    for (const tool of tools) this.builders.set(tool, requestBuilderOf(tool));
    if (tools.some(({ route }) => route.version.kind === 'custom')) {
      answerVersionOfCalls(this.config.getVersioning(), this.versions);
    }
  }

  /**
   * Starts a call; its outcome never rejects.
   * @throws ArgumentError naming the argument that cannot become part of a request
   */
  dispatch(tool: Tool, args: ToolArguments, origin: CallOrigin): Exchange {
    const { server, messages } = this;
    const build = this.builders.get(tool);
    if (!build || !server || !messages) {
      throw new Error(`Tool "${tool.name}" was called before the application was ready.`);
    }
    const call = build(args);
    const headers = [...this.pickHeaders(origin.rawHeaders), ...call.headers];
    const limits = { responseBytes: this.responseBytes, timeoutMs: tool.timeoutMs };
    const exchange = new Exchange();
    this.outside.runInAsyncScope(() => {
      exchange.start(server, messages, call, headers, origin, limits);
    });
    return exchange;
  }
}
