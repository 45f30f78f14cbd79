import type { RequestContext } from '@fledge/core';
import { tenantOfRequest } from '@fledge/core/packages';
import { GraphQLError } from 'graphql';
import type { GraphqlContext } from '../../context/graphql-context.js';
import type { ResolvedRevalidation } from '../../graphql.defaults.js';
import { refuseExpired } from '../expiry.js';
import { isOtherUser } from '../operation-filter.js';
import type { RunningOperation } from '../running-operation.js';

/** Steps that admitted an operation, and that can run again. */
export interface Readmission {
  /**
   * Opens another context with the original headers of the operation. Openers run, so the tenant is
   * resolved again.
   */
  readonly reopen: () => Promise<GraphqlContext>;
  /** Runs context decorators and guards in the new context. */
  readonly recheck: (context: GraphqlContext) => Promise<void>;
}

interface Steps extends Readmission, Pick<ResolvedRevalidation, 'check'> {
  /** Ends the context that `reopen` opened. */
  readonly close: (context: GraphqlContext) => void;
}

/**
 * Checks an operation that was admitted. The steps that admitted the operation run again in a new
 * context. No resolver uses the new context, so the user and the tenant of a current event stay the
 * same. Then the application's `check` runs in the context of the operation.
 */
export async function readmit(
  operation: RunningOperation,
  { reopen, recheck, check, close }: Steps,
): Promise<boolean | void> {
  const live = operation.live!;
  refuseExpired(live.ctx);
  const context = await reopen();
  try {
    context.ctx.set('signal', live.ctx.get('signal'));
    await recheck(context);
    refuseExpired(context.ctx);
    refuseOther(live.ctx, context.ctx);
  } finally {
    close(context);
  }
  return check && operation.within(() => check(live));
}

/**
 * @throws GraphQLError if the headers now belong to another tenant or user, or if they belong to
 * none
 */
function refuseOther(before: RequestContext, now: RequestContext): void {
  const tenant = tenantOfRequest(before.req)?.id;
  if (tenant !== undefined && tenantOfRequest(now.req)?.id !== tenant) {
    throw new GraphQLError('The tenant has changed', { extensions: { code: 'FORBIDDEN' } });
  }
  if (!isOtherUser(before.get('user'), now.get('user'))) return;
  throw new GraphQLError('The user has changed', { extensions: { code: 'UNAUTHENTICATED' } });
}
