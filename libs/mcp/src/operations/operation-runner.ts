import { Injectable, Logger } from '@nestjs/common';
import type { Caller } from '../calls/caller.js';
import type { CallOutcome } from '../calls/http-exchange.js';
import { Dispatcher } from '../calls/dispatcher.js';
import { ArgumentError, ToolSchemaError } from '../mcp.errors.js';
import type { Peer } from '../calls/peer.js';
import type { Operation } from '../catalogue/operation.js';
import {
  type ArgumentValidator,
  type ArgumentValidatorCompiler,
  omittedIfNull,
} from '../arguments/argument-validator.js';
import type { JsonObject } from '../messages/json-rpc.js';

/** How a run ended. `refused`: the arguments are wrong, and nothing ran. */
export type RunOutcome = CallOutcome | { readonly kind: 'refused'; readonly fault: string };

/** A call under way. */
export interface Run {
  /** Never rejects for what a client sent. */
  readonly outcome: Promise<RunOutcome>;
  /** Ends the call; its handler sees the caller go away. */
  abort(): void;
}

/** Validates arguments and runs the route behind them. */
@Injectable()
export class OperationRunner {
  private readonly logger = new Logger('McpModule');
  private readonly validators = new Map<Operation, ArgumentValidator>();

  constructor(private readonly dispatcher: Dispatcher) {}

  /**
   * Takes the operations of the application. Call it once, at boot.
   * @param written whether somebody wrote an operation's schema by hand
   * @throws ToolSchemaError for a hand-written schema that no validator can be made of
   */
  prepare(
    operations: readonly Operation[],
    validatorOf: ArgumentValidatorCompiler,
    written: (operation: Operation) => boolean,
  ): void {
    for (const operation of operations) {
      const validate = validatorOf(operation.input.schema, omittedIfNull(operation.input));
      if (written(operation)) assertCompiles(operation, validate);
      this.validators.set(operation, validate);
    }
  }

  run(operation: Operation, args: JsonObject, caller: Caller, peer: Peer): Run {
    const fault = this.validators.get(operation)?.(args);
    if (fault !== undefined) return this.refuse(operation, fault);
    try {
      return this.dispatcher.dispatch(operation, args, caller, peer);
    } catch (error) {
      if (error instanceof ArgumentError) return this.refuse(operation, error.message);
      throw error;
    }
  }

  private refuse({ name }: Operation, fault: string): Run {
    this.logger.debug(`Arguments for "${name}" were refused: ${fault}`);
    return { outcome: Promise.resolve({ kind: 'refused', fault }), abort: () => undefined };
  }
}

/** Validators are compiled on their first call; a schema written by hand has it now. */
function assertCompiles({ route }: Operation, validate: ArgumentValidator): void {
  try {
    validate({});
  } catch (error) {
    throw new ToolSchemaError(
      route.label,
      `the inputSchema of @McpTool is no valid JSON Schema 2020-12 (${String(error)}).`,
    );
  }
}
