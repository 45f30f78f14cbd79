import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import { type CallAnswer, CallFault } from '../../serve/methods/extension.js';
import type { ToolResult } from '../../serve/results/tool-result.js';
import type { McpTransaction } from './write-options.js';

const logger = new Logger('McpModule');
/** Transactions start outside of the MCP request, as calls do. */
const outside = new AsyncResource('FledgeDryRun', { requireManualDestroy: true });

/**
 * Runs a call in a transaction that is rolled back.
 * @param run gets a function that starts the request to the route within the transaction
 * @throws CallFault if it cannot be known that the transaction was rolled back
 */
export async function runDry(
  transaction: McpTransaction,
  run: (scope: (start: () => void) => void) => Promise<CallAnswer>,
): Promise<CallAnswer> {
  const undo = new Error('The end of a dry run: its transaction is rolled back');
  let answer: CallAnswer | undefined;
  let hasStarted = false;
  const body = async () => {
    hasStarted = true;
    answer = await run(AsyncLocalStorage.snapshot());
    throw undo;
  };
  try {
    await outside.runInAsyncScope(() => transaction(body));
  } catch (error) {
    if (answer && isOrWraps(error, undo)) return answer;
    logger.error('A dry run failed', error);
    throw new CallFault(
      hasStarted
        ? 'The dry run failed, and it is not certain that its changes were rolled back. Read the data.'
        : 'Nothing was done: the dry run could not start its transaction.',
    );
  }
  logger.error(
    'McpModule.forRoot({ writes.transaction }) resolved although its function threw, so dry runs may save their changes. ' +
      'Let the error through.',
  );
  throw new CallFault(
    'The dry run was not rolled back: its changes may have been saved. Read the data.',
  );
}

function isOrWraps(error: unknown, inner: Error): boolean {
  return error === inner || (error instanceof Error && error.cause === inner);
}

/** Says in a result that nothing was saved, and what to do next. */
export function dryResult(result: ToolResult, token: string | undefined): ToolResult {
  const outcome = result.isError
    ? 'Dry run: the call would fail as above. Nothing was saved.'
    : 'Dry run: the call would have the result above. Nothing was saved.';
  const next =
    token === undefined || result.isError
      ? ''
      : ` To run it, call it within 5 minutes with the same arguments, without "dryRun", and with "confirmation": "${token}".`;
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
