import { HttpException, Logger } from '@nestjs/common';
import type { RequestContext } from '@fledge/core';
import { getOperationAST, GraphQLError, OperationTypeNode } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import type { IncomingMessage } from 'node:http';
import type { GraphqlContexts } from '../context/graphql-contexts.js';
import { ConnectionHeaderError } from '../graphql.errors.js';
import { asGraphqlError } from '../operation/formatted-error.js';
import { refuseExpired } from './expiry.js';
import type { GraphqlOperations } from './graphql-operations.js';
import type { ServedSchema } from '../operation/served-schema.js';
import {
  type OperationArgs,
  type OperationListener,
  RunningOperation,
} from './running-operation.js';
import type { ResolvedLimits } from '../graphql.defaults.js';
import type { SubscriptionNumbers } from './subscription-numbers.js';

/** The schema, limits and services that the sockets of one path share. */
export interface SocketSetup extends ServedSchema {
  readonly limits: ResolvedLimits;
  readonly contexts: GraphqlContexts;
  readonly numbers: SubscriptionNumbers;
  readonly operations: GraphqlOperations;
  /** Runs openers and context decorators before an operation, in its context. */
  readonly before: (ctx: RequestContext) => void | Promise<void>;
}

const logger = new Logger('GraphQL');

/** Without this limit, a client could fill the memory with generators by subscribing and completing in turn. */
const MAX_LINGERING = 100;

let connections = 0;

/** One socket: its connection parameters, its context and its operations. */
export class SocketConnection {
  readonly connection = `socket ${(connections += 1)}`;
  /** The context of `onConnect`. */
  ctx: RequestContext | undefined;
  private params: Readonly<Record<string, unknown>> = {};
  /** Values that `onConnect` set on its context. They are copied to the context of each operation. */
  private readonly values = new Map<string, unknown>();
  private readonly running = new Set<RunningOperation>();
  /** The number of ended operations whose generators still wait for an event. */
  private lingering = 0;
  private closed = false;

  private readonly listener: OperationListener = {
    failed: () => {
      this.setup.counts.failed();
      this.setup.numbers.failed();
    },
    ended: (operation, settled) => {
      this.running.delete(operation);
      this.setup.operations.delete(operation);
      this.setup.numbers.ended(operation.kind);
      if (settled === undefined) return;
      this.lingering += 1;
      void settled.then(() => (this.lingering -= 1));
    },
  };

  constructor(
    private readonly upgrade: IncomingMessage,
    readonly setup: SocketSetup,
  ) {}

  /** Returns whether the connection is accepted. Does not throw: the message would become the close reason. */
  async connect(params: Readonly<Record<string, unknown>> = {}): Promise<boolean> {
    const { contexts, limits } = this.setup;
    this.params = params;
    try {
      contexts.headersOf(this.upgrade, params, limits.connectionHeaders);
      return limits.onConnect === undefined || (await this.accepts(limits.onConnect));
    } catch (error) {
      if (!(error instanceof HttpException || error instanceof ConnectionHeaderError)) {
        logger.error(error instanceof Error ? error.stack : error);
      }
      return false;
    }
  }

  /**
   * Returns the arguments of an operation, or its errors. Does not reject: a rejection would close the socket
   * with its other operations.
   */
  async begin(payload: SubscribePayload): Promise<OperationArgs | readonly GraphQLError[]> {
    const { limits } = this.setup;
    const operation = new RunningOperation(this.listener, {
      transport: 'websocket',
      connection: this.connection,
    });
    try {
      if (this.closed) throw closedError();
      // An operation counts until it has ended, even if its client completed it before it began.
      if (this.running.size >= limits.maxSubscriptions || this.lingering >= MAX_LINGERING) {
        throw new GraphQLError('Too many subscriptions');
      }
      this.running.add(operation);
      const prepared = await this.prepare(operation, payload);
      if ('operation' in prepared) return prepared;
      return refused(operation, prepared);
    } catch (error) {
      return refused(operation, [asGraphqlError(error)]);
    }
  }

  /** Ends all operations. */
  close(): void {
    this.closed = true;
    for (const operation of this.running) operation.end();
  }

  private async prepare(
    operation: RunningOperation,
    { query, operationName, variables }: SubscribePayload,
  ): Promise<OperationArgs | readonly GraphQLError[]> {
    const { protection, limits, contexts, counts, numbers, operations, rootValue, before } =
      this.setup;
    const schema = this.setup.schema();
    const document = protection.parse(query);
    const errors = protection.validate(schema, document, { operationName, variables });
    if (errors.length > 0) return errors;
    const kind = getOperationAST(document, operationName)?.operation;
    if (kind === undefined) throw new GraphQLError('Unable to identify operation');
    if (limits.operations !== 'all' && kind !== OperationTypeNode.SUBSCRIPTION) {
      throw new GraphQLError('Only subscriptions are served over WebSocket');
    }

    const context = await contexts.ofOperation(this.upgrade, this.params, limits.connectionHeaders);
    for (const [key, value] of this.values) context.ctx.set(key, value);
    operation.enter(context.ctx, (run) => contexts.run(context, run));
    operations.add(operation);
    await operation.within(() => before(context.ctx));
    refuseExpired(context.ctx);
    if (this.closed || operation.ended) throw closedError();

    operation.kind = kind;
    counts.started(kind);
    numbers.started(kind);
    return {
      operation,
      schema,
      document,
      rootValue,
      contextValue: context,
      operationName,
      variableValues: variables,
    };
  }

  private async accepts(onConnect: NonNullable<ResolvedLimits['onConnect']>): Promise<boolean> {
    const { contexts, limits } = this.setup;
    const context = await contexts.ofOperation(this.upgrade, this.params, limits.connectionHeaders);
    this.ctx = context.ctx;
    recordValues(context.ctx, this.values);
    return (await contexts.run(context, () => onConnect(this.params, context))) !== false;
  }
}

/** Stops execution. The client is gone and does not read it. */
function closedError(): GraphQLError {
  return new GraphQLError('The socket is closed');
}

function refused(operation: RunningOperation, errors: readonly GraphQLError[]) {
  operation.fail();
  operation.end();
  return errors;
}

/** Records the values that `onConnect` sets. Operations have their own contexts, so they do not share providers. */
function recordValues(ctx: RequestContext, values: Map<string, unknown>): void {
  const set = ctx.set.bind(ctx);
  Object.defineProperty(ctx, 'set', {
    value: (key: string, value: unknown) => {
      values.set(key, value);
      set(key, value);
    },
  });
}
