import { HttpException, Logger } from '@nestjs/common';
import type { RequestContext } from '@fledge/core';
import { getOperationAST, GraphQLError, OperationTypeNode } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import type { IncomingMessage } from 'node:http';
import type { GraphqlContext } from '../context/graphql-context.js';
import { ConnectionHeaderError } from '../graphql.errors.js';
import { asGraphqlError } from '../operation/formatted-error.js';
import { refuseExpired } from './expiry.js';
import { keepChecking } from './keep-checking.js';
import { recordValues, setValues } from './recorded-values.js';
import {
  type OperationArgs,
  type OperationListener,
  RunningOperation,
} from './running-operation.js';
import type { ResolvedLimits } from '../option-tables.js';
import type { SocketSetup } from './socket-setup.js';

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
  /** The running operations, with the functions that free their places. */
  private readonly running = new Map<RunningOperation, () => void>();
  /** The number of ended operations whose generators still wait for an event. */
  private lingering = 0;
  private closed = false;
  private readonly address: string | undefined;

  private readonly listener: OperationListener = {
    failed: () => {
      this.setup.counts.failed();
      this.setup.numbers.failed();
    },
    ended: (operation, settled) => {
      this.running.get(operation)?.();
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
  ) {
    this.address = setup.contexts.addressOf(upgrade).ip;
  }

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
    const operation = new RunningOperation(
      this.listener,
      { transport: 'websocket', connection: this.connection },
      this.setup.revalidation,
    );
    try {
      if (this.closed) throw closedError();
      // An operation counts until it has ended, even if its client completed it before it began.
      if (this.running.size >= limits.maxSubscriptions || this.lingering >= MAX_LINGERING) {
        throw new GraphQLError('Too many subscriptions');
      }
      const place = this.setup.places.take('operations', this.address);
      if (typeof place !== 'function') throw new GraphQLError('Too many subscriptions');
      this.running.set(operation, place);
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
    for (const operation of this.running.keys()) operation.end();
  }

  private async prepare(
    operation: RunningOperation,
    payload: SubscribePayload,
  ): Promise<OperationArgs | readonly GraphQLError[]> {
    const { protection, documents, limits, contexts, counts, numbers, operations } = this.setup;
    const { operationName, variables } = payload;
    const schema = this.setup.schema();
    const document = protection.parse((await documents.textOf(payload)) ?? '');
    const errors = protection.validate(schema, document, { operationName, variables });
    if (errors.length > 0) return errors;
    const kind = getOperationAST(document, operationName)?.operation;
    if (kind === undefined) throw new GraphQLError('Unable to identify operation');
    if (limits.operations !== 'all' && kind !== OperationTypeNode.SUBSCRIPTION) {
      throw new GraphQLError('Only subscriptions are served over WebSocket');
    }

    const context = await this.open();
    operation.enter(context.ctx, (run) => contexts.run(context, run));
    operations.add(operation);
    await operation.within(() => this.setup.before(context.ctx));
    refuseExpired(context.ctx);
    if (this.closed || operation.ended) throw closedError();

    operation.kind = kind;
    counts.started(kind);
    numbers.started(kind);
    const args = {
      operation,
      schema,
      document,
      rootValue: this.setup.rootValue,
      contextValue: context,
      operationName,
      variableValues: variables,
    };
    if (kind === OperationTypeNode.SUBSCRIPTION)
      keepChecking(args, context, () => this.open(), this.setup);
    return args;
  }

  /** Opens the context of an operation. */
  private async open(): Promise<GraphqlContext> {
    const { contexts, limits } = this.setup;
    const context = await contexts.ofOperation(this.upgrade, this.params, limits.connectionHeaders);
    setValues(context.ctx, this.values);
    return context;
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
