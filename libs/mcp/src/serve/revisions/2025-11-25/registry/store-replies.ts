import { RareWarnings } from '@fledge/core/packages';
import { Logger } from '@nestjs/common';
import { ErrorCode, RequestFault } from '../../../protocol/json-rpc.js';
import { type Refusal, STORE_AWAY } from '../../../protocol/refusals.js';

/**
 * Waits for replies of the session store. If the store fails, the request is rejected and a warning
 * is logged.
 */
export class StoreReplies {
  private readonly warnings = new RareWarnings(new Logger('McpModule'));

  /** Returns a reply, or a refusal for the client if there is none. */
  async of<Value>(reply: Promise<Value>): Promise<Value | Refusal> {
    try {
      return await reply;
    } catch (error) {
      this.warnings.warn(() => `The session store failed: ${String(error)}`);
      return STORE_AWAY;
    }
  }

  /** @throws RequestFault if there is no reply */
  async require<Value>(reply: Promise<Value>): Promise<Value> {
    const value = await this.of(reply);
    if (value === STORE_AWAY) throw new RequestFault(ErrorCode.Refused, STORE_AWAY.message);
    return value as Value;
  }
}
