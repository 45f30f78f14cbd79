import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, Server } from 'node:http';
import { type CallerHeaders, type CallerTenants, RareWarnings } from '@fledge/core/packages';
import { Logger } from '@nestjs/common';
import type { AbstractHttpAdapter, ApplicationConfig } from '@nestjs/core';
import type { Arguments } from '../../publish/arguments/picked-arguments.js';
import type { RouteRequest } from '../../publish/arguments/request-builder.js';
import {
  argumentsOfTexts,
  sentArguments,
  type Texts,
} from '../../publish/arguments/text-arguments.js';
import type { Operation } from '../../publish/catalogue/operation.js';
import type { ResolvedMcpOptions } from '../../mcp.defaults.js';
import { ArgumentError } from '../../mcp.errors.js';
import { type Application, Call, type CallOutcome } from './call.js';
import {
  type HeaderFilter,
  headerFilter,
  headerPairs,
  headersWithout,
} from './forwarded-headers.js';
import { answerVersionOfCalls, messageFactoryFor } from './node-messages.js';
import type { Peer } from './peer.js';

/** `refused`: the arguments are invalid, so the route did not run. */
export type RunOutcome = CallOutcome | { readonly kind: 'refused'; readonly fault: string };

/** Changes to one run of a route. */
export interface RouteRun {
  /** Arguments for the request. By default, the validated arguments. */
  readonly sent?: Arguments;
  /** Additional headers for the request, as alternating names and values. */
  readonly headers?: readonly string[];
  /**
   * Starts the request in another async context, for example inside a transaction.
   * @default the context outside all requests
   */
  readonly scope?: (run: () => void) => void;
}

/**
 * Runs operations as in-process requests to the application's HTTP server, without a socket. The
 * request passes through middleware, guards, pipes and interceptors, like any other. Redirects are
 * not followed.
 */
export class Dispatcher {
  private readonly logger = new Logger('McpModule');
  private readonly misrouted = new RareWarnings(this.logger);
  // Calls start in this async context, like requests from the network. A call does not see the
  // AsyncLocalStorage stores of the MCP request or of other calls.
  private readonly outside = new AsyncResource('FledgeToolCall', { requireManualDestroy: true });

  /** @param pickHeaders selects headers of the MCP request to forward to the route */
  constructor(
    private readonly application: Application,
    readonly pickHeaders: HeaderFilter,
    readonly tenants: CallerTenants,
  ) {}

  /** Invalid input from a client does not reject the promise. */
  run(
    operation: Operation,
    args: Arguments,
    peer: Peer,
    { sent = args, headers, scope }: RouteRun = {},
  ): Promise<RunOutcome> {
    const { watch } = peer.caller;
    try {
      watch?.runs(operation, args);
      const fault = operation.validate(args);
      if (fault !== undefined) return this.refuse(operation, fault);
      const request = operation.buildRequest(sent);
      const call = new Call(operation, peer, this.misrouted);
      const outcome = this.start(call, request, headers, scope);
      return watch === undefined ? outcome : outcome.then((ended) => watch.ran(ended));
    } catch (error) {
      if (error instanceof ArgumentError) return this.refuse(operation, error.message);
      const failure = error as Error;
      return Promise.reject(failure);
    }
  }

  /** Runs an operation whose arguments are all strings, such as the parameters of a URI. */
  runTexts(operation: Operation, texts: Texts, peer: Peer): Promise<RunOutcome> {
    const { input } = operation;
    const args = argumentsOfTexts(input.schema, texts);
    return this.run(operation, args, peer, { sent: sentArguments(input, args, texts) });
  }

  private start(
    call: Call,
    request: RouteRequest,
    added: RouteRun['headers'],
    scope: RouteRun['scope'],
  ): Promise<CallOutcome> {
    const { peer } = call;
    const { forwarded, watch } = peer.caller;
    const span = watch?.span;
    const kept = added ? headersWithout(forwarded, namesOf(added)) : forwarded;
    const headers = [...(span ? span.headersOf(kept) : kept), ...request.headers];
    if (added) headers.push(...added);
    const start = () => call.start(this.application, request, headers);
    const begin = () => (span ? span.run(start) : start());
    if (scope) scope(begin);
    else this.outside.runInAsyncScope(begin);
    peer.started(call);
    return call.outcome;
  }

  private refuse({ name }: Operation, fault: string): Promise<RunOutcome> {
    this.logger.debug(`Arguments for "${name}" were rejected: ${fault}`);
    return Promise.resolve({ kind: 'refused', fault });
  }
}

function namesOf(headers: readonly string[]): Set<string> {
  return new Set(headerPairs(headers).map(([name]) => name.toLowerCase()));
}

interface Platform {
  readonly adapter: AbstractHttpAdapter;
  readonly config: ApplicationConfig;
  readonly callerHeaders: CallerHeaders;
  readonly callerTenants: CallerTenants;
}

/** Call this once, after Nest has created the HTTP adapter. */
export function dispatcherFor(
  { adapter, config, callerHeaders, callerTenants }: Platform,
  operations: readonly Operation[],
  { forwardHeaders, limits }: ResolvedMcpOptions,
): Dispatcher {
  const versions = new WeakMap<IncomingMessage, string>();
  if (operations.some(({ route }) => route.version.kind === 'custom')) {
    answerVersionOfCalls(config.getVersioning(), versions);
  }
  const application: Application = {
    server: adapter.getHttpServer() as Server,
    messages: messageFactoryFor(adapter.getInstance(), versions),
    responseBytes: limits.responseBytes,
  };
  const pickHeaders = headerFilter([...forwardHeaders, ...callerHeaders.names]);
  return new Dispatcher(application, pickHeaders, callerTenants);
}
