import type { RequestContext } from '@fledge/core';
import { tenantOfRequest } from '@fledge/core/packages';
import { HttpException } from '@nestjs/common';
import { GraphQLError, type OperationTypeNode } from 'graphql';
import type { GraphqlContext, GraphqlContexts } from '../context/graphql-context.js';
import { logError } from '../operation/failure-log.js';
import { asGraphqlError, codedError } from '../operation/formatted-error.js';
import type { ResolvedLimits } from '../graphql.defaults.js';
import { refuseExpired } from './expiry.js';
import type { GraphqlOperations } from './graphql-operations.js';
import { Places } from './places-by-address.js';
import { Revalidation } from './operation-checks.js';
import { isOtherUser } from './operation-filter.js';
import type { LiveOperation } from './subscription.options.js';
import { RunningOperation } from './running-operation.js';
import type { SubscriptionNumbers } from './graphql-subscriptions.adapter.js';

/**
 * Maximum number of ended operations of a client whose generators still wait. A client that
 * repeatedly subscribes and completes could otherwise fill the memory with generators.
 */
const MAX_LINGERING = 100;

/**
 * A client and its operations. A client is one socket, or it is all event streams with the same
 * address and the same credentials.
 */
export class Client {
  readonly running = new Set<RunningOperation>();
  /** Number of ended operations whose generators still wait for an event. */
  lingering = 0;

  constructor(readonly address: string | undefined) {}
}

export interface OperationSource extends Pick<LiveOperation, 'transport' | 'connection'> {
  readonly client: Client;
  /** Called once if the operation fails. Not called for errors in later events. */
  readonly failed?: () => void;
  readonly ended?: (operation: RunningOperation) => void;
  /** Called when the client has no running operation and no waiting generator. */
  readonly idle?: () => void;
}

/** The checks of an operation in its context. Each transport has its own. */
interface Entrance {
  readonly context: GraphqlContext;
  /** Runs the checks before the resolvers. Throws or rejects if the operation may not run. */
  readonly check: (context: GraphqlContext) => void | Promise<void>;
  /**
   * Opens another context with the original headers of the operation. Openers run, so the tenant is
   * resolved again.
   */
  readonly reopen: () => Promise<GraphqlContext>;
  /** Runs context decorators and guards in the context of `reopen`. */
  readonly recheck: (context: GraphqlContext) => Promise<void>;
}

/**
 * Admits the operations of one endpoint over sockets and event streams. Applies the limits, keeps
 * the list of running operations, and counts the operations.
 */
export class Admission {
  readonly places: Places;
  private readonly revalidation: Revalidation | undefined;

  constructor(
    readonly limits: ResolvedLimits,
    readonly contexts: GraphqlContexts,
    readonly operations: GraphqlOperations,
    readonly numbers: SubscriptionNumbers,
  ) {
    this.places = new Places(limits);
    this.revalidation = limits.revalidate && new Revalidation(limits.revalidate);
  }

  /**
   * Calls `onConnect`. Records the values that `onConnect` sets on the context. Values that are set
   * later are not recorded. Otherwise, a revalidation would restore an old user.
   * @returns true if the client is accepted. An error of `onConnect` is logged and not sent to the
   * client
   */
  async accepts(
    params: Readonly<Record<string, unknown>>,
    context: GraphqlContext,
    values: Map<string, unknown>,
  ): Promise<boolean> {
    const stop = recordValues(context.ctx, values);
    try {
      return (await this.limits.onConnect?.(params, context)) !== false;
    } catch (error) {
      logUnexpected(error);
      return false;
    } finally {
      stop();
    }
  }

  /**
   * Reserves a place for an operation and prepares the operation. Errors end the operation and are
   * returned. The promise does not reject, because a rejection would close a socket with all its
   * operations.
   */
  async begin<T>(
    source: OperationSource,
    prepare: (operation: RunningOperation) => Promise<T | GraphQLError[]>,
  ): Promise<T | GraphQLError[]> {
    let leave = () => {};
    const operation = new RunningOperation(source, this.revalidation, {
      failed: () => {
        this.numbers.failed();
        source.failed?.();
      },
      ended: (settled) => {
        this.operations.delete(operation);
        this.numbers.ended(operation.live?.kind);
        leave();
        source.ended?.(operation);
        void linger(source, settled);
      },
    });
    let prepared: T | GraphQLError[];
    try {
      // Must run before the first await. Otherwise, concurrent operations would not count each
      // other.
      leave = this.enter(operation, source.client);
      prepared = await prepare(operation);
    } catch (error) {
      prepared = [asGraphqlError(error)];
    }
    if (Array.isArray(prepared)) {
      operation.fail();
      operation.end();
    }
    return prepared;
  }

  /**
   * Runs the checks of an operation in the context of the operation. Then adds the operation to the
   * list and the counts. While a subscription runs, it is checked again. Call this inside the
   * context.
   * @throws GraphQLError if the authorization has expired, or if the operation ended during these
   * checks
   */
  async admit(
    operation: RunningOperation,
    kind: `${OperationTypeNode}`,
    entrance: Entrance,
  ): Promise<void> {
    const { context, check } = entrance;
    // Otherwise, an operation that ended while its context opened would stay in the list.
    operation.refuseEnded();
    const live = operation.enter(context.ctx);
    this.operations.add(operation);
    await check(context);
    refuseExpired(context.ctx);
    operation.refuseEnded();
    live.kind = kind;
    this.numbers.started(kind);
    if (kind === 'subscription') operation.checkAgain(() => this.readmit(operation, entrance));
  }

  /**
   * Checks an operation that was admitted. The steps that admitted the operation run again in a new
   * context. No resolver uses the new context, so the user and the tenant of a current event stay
   * the same. Then the application's `check` runs in the context of the operation.
   */
  private async readmit(
    operation: RunningOperation,
    { reopen, recheck }: Entrance,
  ): Promise<boolean | void> {
    const live = operation.live!;
    refuseExpired(live.ctx);
    const context = await reopen();
    try {
      context.ctx.set('signal', live.ctx.get('signal'));
      await this.contexts.run(context, () => recheck(context));
      refuseExpired(context.ctx);
      refuseOther(live.ctx, context.ctx);
    } finally {
      this.contexts.end(context);
    }
    return operation.within(() => this.limits.revalidate?.check?.(live));
  }

  /**
   * Reserves a place for an operation until it has ended. The place is kept even if the client
   * completes the operation before it begins.
   * @throws GraphQLError if the client, its address or the endpoint has reached its limit
   */
  private enter(operation: RunningOperation, client: Client): () => void {
    const { running, lingering, address } = client;
    const isFull = running.size >= this.limits.maxSubscriptions || lingering >= MAX_LINGERING;
    const free = isFull ? 'client' : this.places.take('operations', address);
    if (typeof free !== 'function') throw new GraphQLError('Too many subscriptions');
    running.add(operation);
    return () => {
      running.delete(operation);
      free();
    };
  }
}

/** Counts the generator of an ended operation until the generator has ended. */
async function linger(source: OperationSource, settled?: Promise<unknown>): Promise<void> {
  const { client, idle } = source;
  if (settled !== undefined) {
    client.lingering += 1;
    await settled;
    client.lingering -= 1;
  }
  if (client.running.size === 0 && client.lingering === 0) idle?.();
}

/**
 * @throws GraphQLError if the headers now belong to another tenant or user, or if they belong to
 * none
 */
function refuseOther(before: RequestContext, now: RequestContext): void {
  const tenant = tenantOfRequest(before.req)?.id;
  if (tenant !== undefined && tenantOfRequest(now.req)?.id !== tenant) {
    throw codedError('The tenant has changed', 'FORBIDDEN');
  }
  if (isOtherUser(before.get('user'), now.get('user'))) {
    throw codedError('The user has changed', 'UNAUTHENTICATED');
  }
}

/** Logs an error that is not sent to the client. Rejections are not logged. */
export function logUnexpected(error: unknown): void {
  if (!(error instanceof HttpException)) logError(error);
}

/** Records the values that are set on a context until the returned function is called. */
function recordValues(ctx: RequestContext, values: Map<string, unknown>): () => void {
  const set = ctx.set.bind(ctx);
  Object.defineProperty(ctx, 'set', {
    configurable: true,
    value: (key: string, value: unknown) => {
      values.set(key, value);
      set(key, value);
    },
  });
  return () => void Reflect.deleteProperty(ctx, 'set');
}

export function setValues(ctx: RequestContext, values: ReadonlyMap<string, unknown>): void {
  for (const [key, value] of values) ctx.set(key, value);
}
