import type { RequestContext } from '@fledge/core';
import { getOperationAST, GraphQLError, OperationTypeNode, subscribe } from 'graphql';
import type { IncomingMessage } from 'node:http';
import type { GraphqlContext } from '../context/graphql-context.js';
import { ConnectionHeaderError } from '../graphql.errors.js';
import {
  type Admission,
  Client,
  logUnexpected,
  type OperationSource,
  setValues,
} from '../live/admission.js';
import { unknownOperation } from '../operation/formatted-error.js';
import { subscriptionGuards } from '../live/subscription-guards.js';
import type { OperationArgs, RunningOperation } from '../live/running-operation.js';
import type {
  DocumentRequest,
  ServedSchema,
  ValidatedOperation,
} from '../operation/served-schema.js';

/** Everything that the sockets of one path share. */
export interface SocketSetup extends ServedSchema {
  /** The path shown in the snapshot. */
  readonly path: string;
  /** The full path on the server: `path` below the global prefix. */
  readonly url: string;
  readonly admission: Admission;
  /** Runs openers and context decorators before an operation, in the context of the operation. */
  readonly before: (ctx: RequestContext) => void | Promise<void>;
  /**
   * The time at which Nest's guards run again: only in checks, or also before each event. Undefined
   * if Nest has no resolvers for the schema.
   */
  readonly guards?: 'checks' | 'events';
}

/**
 * The payload of a `subscribe` message. The types of graphql-ws are not imported, because the
 * package may not be installed.
 */
type Payload = DocumentRequest & ValidatedOperation;

type Begun = OperationArgs | GraphQLError[];

let connections = 0;

/** One socket: its connection parameters, its context and its operations. */
export class SocketConnection {
  readonly connection = `socket ${(connections += 1)}`;
  /** The context of `onConnect`. */
  ctx: RequestContext | undefined;
  private params: Readonly<Record<string, unknown>> = {};
  /**
   * The values that `onConnect` set on its context. These values are copied to the context of each
   * operation.
   */
  private readonly values = new Map<string, unknown>();
  private readonly client: Client;
  private readonly source: OperationSource;
  private closed = false;

  constructor(
    private readonly upgrade: IncomingMessage,
    readonly setup: SocketSetup,
  ) {
    const { admission, counts } = setup;
    const { connection } = this;
    const client = (this.client = new Client(admission.contexts.addressOf(upgrade).ip));
    this.source = { transport: 'websocket', connection, client, failed: () => counts.failed() };
  }

  /**
   * Returns true if the connection is accepted. This function must not throw, because the error
   * message would become the close reason.
   */
  async connect(params: Readonly<Record<string, unknown>> = {}): Promise<boolean> {
    const { admission } = this.setup;
    const { contexts, limits } = admission;
    this.params = params;
    try {
      contexts.headersOf(this.upgrade, params, limits.connectionHeaders);
      if (limits.onConnect === undefined) return true;
      const context = await this.open();
      this.ctx = context.ctx;
      try {
        return await contexts.run(context, () => admission.accepts(params, context, this.values));
      } finally {
        contexts.end(context);
      }
    } catch (error) {
      if (!(error instanceof ConnectionHeaderError)) logUnexpected(error);
      return false;
    }
  }

  /** Returns the arguments of an operation, or its errors. The promise never rejects. */
  begin(payload: Payload): Promise<Begun> {
    return this.setup.admission.begin(this.source, (operation) => this.prepare(operation, payload));
  }

  close(): void {
    this.closed = true;
    for (const operation of this.client.running) operation.end();
  }

  private async prepare(operation: RunningOperation, payload: Payload): Promise<Begun> {
    if (this.closed) operation.end();
    operation.refuseEnded();
    const { protection, documents, admission, counts, rootValue } = this.setup;
    const { variables } = payload;
    // Some clients send an empty name for an operation without a name.
    const operationName = payload.operationName || undefined;
    const schema = this.setup.schema();
    const document = protection.parse((await documents.textOf(payload)) ?? '');
    const errors = protection.validate(schema, document, { operationName, variables });
    if (errors.length > 0) return [...errors];
    const kind = getOperationAST(document, operationName)?.operation;
    if (kind === undefined) throw unknownOperation(operationName);
    if (admission.limits.operations !== 'all' && kind !== OperationTypeNode.SUBSCRIPTION) {
      throw new GraphQLError('Only subscriptions are served over WebSocket');
    }
    const contextValue = await this.open();
    operation.whenEnded(() => admission.contexts.end(contextValue));
    const given = { operationName, variableValues: variables };
    const args = { operation, schema, document, rootValue, contextValue, ...given };
    await admission.contexts.run(contextValue, () => this.admit(args, kind, contextValue));
    counts.started(kind);
    return args;
  }

  private admit(args: OperationArgs, kind: OperationTypeNode, context: GraphqlContext) {
    const { admission, before, guards: when } = this.setup;
    const { operation } = args;
    const guard =
      when && subscriptionGuards(context, (anew) => subscribe({ ...args, contextValue: anew }));
    if (when === 'events') operation.beforeEvent = async () => guard?.(context);
    return admission.admit(operation, kind, {
      context,
      check: ({ ctx }) => before(ctx),
      reopen: () => this.open(),
      recheck: async (anew) => {
        await before(anew.ctx);
        await guard?.(anew);
        await admission.contexts.bind(anew);
      },
    });
  }

  /** Opens a context with the values that `onConnect` has set. */
  private async open(): Promise<GraphqlContext> {
    const { contexts, limits } = this.setup.admission;
    const context = await contexts.ofOperation(this.upgrade, this.params, limits.connectionHeaders);
    setValues(context.ctx, this.values);
    return context;
  }
}
