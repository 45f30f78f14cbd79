import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { withoutOwner } from '@fledge/core/packages';
import { Logger } from '@nestjs/common';
import { type CallAnswer, CallFault } from '../../serve/methods/extension.js';
import type { ToolResult } from '../../serve/results/tool-result.js';
import type { McpTransaction } from './write-options.js';

const logger = new Logger('McpModule');
/** Like calls, transactions run outside the async context of the MCP request. */
const outside = new AsyncResource('FledgeDryRun', { requireManualDestroy: true });

/**
 * Runs a call in a transaction that is rolled back.
 * @param run receives a function that starts the route's request within the transaction
 * @throws CallFault if the rollback cannot be verified
 */
export async function runDry(
  transaction: McpTransaction,
  run: (scope: (start: () => void) => void) => Promise<CallAnswer>,
): Promise<CallAnswer> {
  const undo = new Error('End of a dry run: the transaction is rolled back');
  let answer: CallAnswer | undefined;
  let hasStarted = false;
  const body = async () => {
    hasStarted = true;
    const within = AsyncLocalStorage.snapshot();
    answer = await run((start) => within(withoutOwner, start));
    throw undo;
  };
  try {
    await outside.runInAsyncScope(() => transaction(body));
  } catch (error) {
    if (answer && isOrWraps(error, undo)) return answer;
    logger.error('A dry run failed', error);
    throw new CallFault(
      hasStarted
        ? 'The dry run failed, and its changes may have been saved. Read the data to find out.'
        : 'Nothing was done: the dry run could not start its transaction.',
    );
  }
  logger.error(
    'McpModule.forRoot({ writes.transaction }) resolved although the function passed to it threw ' +
      'an error, so dry runs may save their changes. Do not catch this error in `transaction`.',
  );
  throw new CallFault(
    'The dry run was not rolled back: its changes may have been saved. Read the data to find out.',
  );
}

function isOrWraps(error: unknown, inner: Error): boolean {
  return error === inner || (error instanceof Error && error.cause === inner);
}

/** Adds a note to a result. The note says that nothing was saved, and how to run the call. */
export function dryResult(result: ToolResult, token: string | undefined): ToolResult {
  const outcome = result.isError
    ? 'Dry run: the call would fail with the error above. Nothing was saved.'
    : 'Dry run: the call would have the result above. Nothing was saved.';
  const next =
    token === undefined || result.isError
      ? ''
      : ' To save the changes, call the tool within 5 minutes with the same arguments, without ' +
        `"dryRun", and with "confirmation": "${token}".`;
  return {
    ...result,
    content: [...result.content, { type: 'text', text: outcome + next }],
    _meta: {
      ...result._meta,
      'fledge/dryRun': true,
      ...(next !== '' && { 'fledge/confirmation': { token } }),
    },
  };
}
