import type { RequestContext } from '@fledge/core';
import { tenantOfRequest } from '@fledge/core/packages';
import { GraphQLError } from 'graphql';
import type { GraphqlContext } from '../context/graphql-context.js';
import type { ResolvedRevalidation } from '../option-tables.js';
import { refuseExpired } from './expiry.js';
import { isOtherUser } from './operation-filter.js';
import type { RunningOperation } from './running-operation.js';

/** The steps that admitted an operation, to run again. */
export interface Readmission {
  readonly operation: RunningOperation;
  /** Opens a context with the headers that the operation began with. Openers run: the tenant is looked up. */
  readonly open: () => Promise<GraphqlContext>;
  /** Runs context decorators and guards in that context. */
  readonly admit: (context: GraphqlContext) => void | Promise<void>;
  readonly check: ResolvedRevalidation['check'];
}

/**
 * Returns the check of an operation that has entered its context. Its steps run again in a new context, which no
 * resolver sees: an event in progress keeps the user and the tenant that it began with. Then `check` of the
 * application runs in the context of the operation.
 */
export function checkOf({ operation, open, admit, check }: Readmission) {
  return async (): Promise<boolean | void> => {
    const live = operation.live!;
    refuseExpired(live.ctx);
    const context = await open();
    context.ctx.set('signal', live.ctx.get('signal'));
    await admit(context);
    refuseExpired(context.ctx);
    refuseOther(live.ctx, context.ctx);
    return check && operation.within(() => check(live));
  };
}

/** @throws GraphQLError if the headers now belong to another tenant, to another user, or to none */
function refuseOther(before: RequestContext, now: RequestContext): void {
  const tenant = tenantOfRequest(before.req)?.id;
  if (tenant !== undefined && tenantOfRequest(now.req)?.id !== tenant) {
    throw new GraphQLError('The tenant has changed', { extensions: { code: 'FORBIDDEN' } });
  }
  if (!isOtherUser(before.get('user'), now.get('user'))) return;
  throw new GraphQLError('The user has changed', { extensions: { code: 'UNAUTHENTICATED' } });
}
