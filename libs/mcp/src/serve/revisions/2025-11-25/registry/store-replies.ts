import { RareWarnings } from '@fledge/core/packages';
import { Logger } from '@nestjs/common';
import { ErrorCode, RequestFault } from '../../../protocol/json-rpc.js';
import { type Refusal, STORE_AWAY } from '../../../protocol/refusals.js';

/** If the store fails, logs a warning and rejects the client's request. */
export class StoreReplies {
  private readonly warnings = new RareWarnings(new Logger('McpModule'));

  /** If the store fails, returns a refusal for the client. */
  async of<Value>(reply: Promise<Value>): Promise<Value | Refusal> {
    try {
      return await reply;
    } catch (error) {
      this.warnings.warn(() => `The session store failed: ${String(error)}`);
      return STORE_AWAY;
    }
  }

  /** @throws RequestFault if the store does not reply */
  async require<Value>(reply: Promise<Value>): Promise<Value> {
    const value = await this.of(reply);
    if (value === STORE_AWAY) throw new RequestFault(ErrorCode.Refused, STORE_AWAY.message);
    return value as Value;
  }
}
