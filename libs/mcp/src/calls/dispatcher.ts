import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, Server } from 'node:http';
import { CallerHeaders } from '@fledge/core/packages';
import { Injectable } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { queryParserOf } from '../routes/query-parser.js';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import type { Peer } from './peer.js';
import type { Operation } from '../catalogue/operation.js';
import type { Caller } from './caller.js';
import { answerVersionOfCalls, type MessageFactory, messageFactoryFor } from './message-factory.js';
import { DispatchedCall } from './call.js';
import { Exchange } from './http-exchange.js';
import { headerFilter } from './forwarded-headers.js';
import {
  type RequestBuilder,
  requestBuilderOf,
  type Arguments,
} from '../arguments/request-builder.js';

/**
 * Runs calls through the application's own HTTP server, in process: no socket, no redirect
 * followed, the whole pipeline as for a direct request.
 */
@Injectable()
export class Dispatcher {
  // Calls start here, outside of whatever context their MCP request runs in, as a request from the
  // wire does: no store of AsyncLocalStorage is shared between the two or between calls.
  private readonly outside = new AsyncResource('FledgeToolCall', { requireManualDestroy: true });
  private readonly builders = new Map<Operation, RequestBuilder>();
  private readonly versions = new WeakMap<IncomingMessage, string>();
  private pickHeaders: ReturnType<typeof headerFilter> = () => [];
  private responseBytes = 0;
  private server: Server | undefined;
  private messages: MessageFactory | undefined;

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly config: ApplicationConfig,
    private readonly callerHeaders: CallerHeaders,
  ) {}

  /** Prepares the requests of every operation. Call it once, when the adapter is known. */
  prepare(operations: readonly Operation[], options: ResolvedMcpOptions): void {
    const adapter = this.adapterHost.httpAdapter;
    const instance: unknown = adapter.getInstance();
    this.server = adapter.getHttpServer() as Server;
    this.messages = messageFactoryFor(instance, this.versions);
    this.pickHeaders = headerFilter([...options.forwardHeaders, ...this.callerHeaders.names]);
    this.responseBytes = options.limits.responseBytes;
    const parser = queryParserOf(instance);
    for (const operation of operations) {
      this.builders.set(operation, requestBuilderOf(operation, parser));
    }
    if (operations.some(({ route }) => route.version.kind === 'custom')) {
      answerVersionOfCalls(this.config.getVersioning(), this.versions);
    }
  }

  /**
   * Starts a call; its outcome never rejects.
   * @throws ArgumentError naming the argument that cannot become part of a request
   */
  dispatch(operation: Operation, args: Arguments, caller: Caller, peer: Peer): Exchange {
    const { server, messages } = this;
    const build = this.builders.get(operation);
    if (!build || !server || !messages) {
      throw new Error(`"${operation.name}" was called before the application was ready.`);
    }
    const call = build(args);
    const headers = [...this.pickHeaders(caller.origin.rawHeaders), ...call.headers];
    const limits = { responseBytes: this.responseBytes, timeoutMs: operation.timeoutMs };
    const exchange = new Exchange();
    const live = new DispatchedCall(operation, caller.principal, peer, exchange);
    this.outside.runInAsyncScope(() => {
      exchange.start(server, messages, call, headers, caller.origin, limits, live);
    });
    return exchange;
  }
}
