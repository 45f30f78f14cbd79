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
import type { Operations } from '../operation/operations.js';
import { type OperationArgs, type OperationWatch, RunningOperation } from './running-operation.js';
import type { ResolvedLimits } from './subscription.limits.js';
import type { SubscriptionNumbers } from './subscription.numbers.js';

/** What all sockets of one path serve. */
export interface Served extends Operations {
  readonly limits: ResolvedLimits;
  readonly contexts: GraphqlContexts;
  readonly numbers: SubscriptionNumbers;
  readonly operations: GraphqlOperations;
  /** What runs ahead of an operation, in its context: openers admit it, context decorators run. */
  readonly before: (ctx: RequestContext) => void | Promise<void>;
}

const logger = new Logger('GraphQL');

/** Else a client could fill the memory with generators, by subscribing and completing in turn. */
const MAX_LINGERING = 100;

let connections = 0;

/** One socket: who connected, and what it runs. */
export class SocketConnection {
  readonly connection = `socket ${(connections += 1)}`;
  /** The context of `onConnect`. */
  ctx: RequestContext | undefined;
  private params: Readonly<Record<string, unknown>> = {};
  /** What `onConnect` put into its context, for that of every operation. */
  private readonly values = new Map<string, unknown>();
  private readonly running = new Set<RunningOperation>();
  /** Operations that ended and whose generators have not: they wait for an event of their own. */
  private lingering = 0;
  private closed = false;

  constructor(
    private readonly upgrade: IncomingMessage,
    readonly served: Served,
  ) {}

  /** Whether the connection is let in. Says no more: a thrown message would become the close reason. */
  async connect(params: Readonly<Record<string, unknown>> = {}): Promise<boolean> {
    const { contexts, limits } = this.served;
    this.params = params;
    try {
      contexts.headersOf(this.upgrade, params, limits.connectionHeaders);
      return limits.onConnect === undefined || (await this.ask(limits.onConnect));
    } catch (error) {
      if (!(error instanceof HttpException || error instanceof ConnectionHeaderError)) {
        logger.error(error instanceof Error ? error.stack : error);
      }
      return false;
    }
  }

  /**
   * What to execute, or why not. Never rejects: that would close the socket and with it every other
   * operation.
   */
  async begin(payload: SubscribePayload): Promise<OperationArgs | readonly GraphQLError[]> {
    const { limits, counts, numbers, operations } = this.served;
    const watch: OperationWatch = {
      failed: () => {
        counts.failed();
        numbers.failed();
      },
      ended: (ended, settled) => {
        this.running.delete(ended);
        operations.delete(ended);
        numbers.ended(ended.kind);
        if (settled === undefined) return;
        this.lingering += 1;
        void settled.then(() => (this.lingering -= 1));
      },
    };
    const operation = new RunningOperation(watch, {
      transport: 'websocket',
      connection: this.connection,
    });
    try {
      if (this.closed) throw gone();
      // An operation counts until it has ended, also when its client completed it before it began.
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

  /** Ends every operation. */
  close(): void {
    this.closed = true;
    for (const operation of this.running) operation.end();
  }

  private async prepare(
    operation: RunningOperation,
    { query, operationName, variables }: SubscribePayload,
  ): Promise<OperationArgs | readonly GraphQLError[]> {
    const { protection, limits, contexts, counts, numbers, operations, rootValue, before } =
      this.served;
    const schema = this.served.schema();
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
    if (this.closed || operation.ended) throw gone();

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

  private async ask(onConnect: NonNullable<ResolvedLimits['onConnect']>): Promise<boolean> {
    const { contexts, limits } = this.served;
    const context = await contexts.ofOperation(this.upgrade, this.params, limits.connectionHeaders);
    this.ctx = context.ctx;
    keepWhatIsSet(context.ctx, this.values);
    return (await contexts.run(context, () => onConnect(this.params, context))) !== false;
  }
}

/** Nobody is there to read it: it keeps what was asked for from being executed. */
function gone(): GraphQLError {
  return new GraphQLError('The socket is closed');
}

function refused(operation: RunningOperation, errors: readonly GraphQLError[]) {
  operation.fail();
  operation.end();
  return errors;
}

/** `onConnect` sees one context; the operations have their own, so that none shares providers. */
function keepWhatIsSet(ctx: RequestContext, values: Map<string, unknown>): void {
  const set = ctx.set.bind(ctx);
  Object.defineProperty(ctx, 'set', {
    value: (key: string, value: unknown) => {
      values.set(key, value);
      set(key, value);
    },
  });
}
