import { subscribe } from 'graphql';
import type { GraphqlContext } from '../context/graphql-context.js';
import { checkOf } from './readmission.js';
import type { OperationArgs } from './running-operation.js';
import type { SocketSetup } from './socket-setup.js';
import { SubscriptionGuards } from './subscription-guards.js';

/**
 * Runs the checks of a socket's subscription while it runs, and its guards before each event, as the options
 * of the endpoint say.
 * @param open opens another context for the operation
 */
export function keepChecking(
  args: OperationArgs,
  context: GraphqlContext,
  open: () => Promise<GraphqlContext>,
  { before, contexts, guards: when, limits }: SocketSetup,
): void {
  const { operation } = args;
  const guards =
    when && new SubscriptionGuards((contextValue) => subscribe({ ...args, contextValue }));
  if (when === 'events') operation.beforeEvent = async () => guards?.run(context);
  operation.checkAgain(
    checkOf({
      operation,
      open,
      admit: (anew) =>
        contexts.run(anew, async () => {
          await before(anew.ctx);
          await guards?.run(anew);
          await contexts.bind(anew);
        }),
      check: limits.revalidate?.check,
    }),
  );
}
