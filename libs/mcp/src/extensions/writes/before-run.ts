import { Logger } from '@nestjs/common';
import { CallFault } from '../../serve/methods/extension.js';

const logger = new Logger('McpModule');

/**
 * Waits for a check that must finish before the call runs.
 * @throws CallFault if the store cannot be reached
 */
export async function beforeRun<Value>(asked: Promise<Value>): Promise<Value> {
  try {
    return await asked;
  } catch (error) {
    logger.error('The store of McpModule.forRoot({ writes }) cannot be reached', error);
    throw new CallFault(
      'Nothing was done: the server could not check this call. Try again later.',
      {
        'fledge/error': { status: 503, retryable: true },
      },
    );
  }
}
