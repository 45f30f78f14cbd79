import { Injectable, Logger } from '@nestjs/common';
import type { CallOrigin } from '../dispatch/call.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { ArgumentError } from '../dispatch/path-segment.js';
import { getMcpToolMeta } from '../decorators/mcp-tool.decorator.js';
import { ToolSchemaError } from '../mcp.errors.js';
import type { Tool } from '../registry/tool.js';
import { ToolRegistry } from '../registry/tool.registry.js';
import { type ArgumentValidator, createArgumentValidator } from '../schema/argument-validator.js';
import { omittedIfNull } from '../schema/omitted-arguments.js';
import type { JsonObject } from './json-rpc.js';
import { outputCheck } from './output-check.js';
import { errorResult, type ToolResult, toolResultOf } from './tool-result.js';

/** A call under way. */
export interface ToolCall {
  /** Never rejects for what a client sent. */
  readonly result: Promise<ToolResult>;
  /** Ends the call; its handler sees the caller go away. */
  abort(): void;
}

/** Answers `tools/list` and `tools/call`, whatever revision and transport they came by. */
@Injectable()
export class ToolCaller {
  private readonly logger = new Logger('McpModule');
  private readonly validators = new Map<Tool, ArgumentValidator>();
  private readonly counts = { calls: 0, errors: 0 };
  private registry = new ToolRegistry();
  private checkOutput: ReturnType<typeof outputCheck> = () => undefined;

  constructor(private readonly dispatcher: Dispatcher) {}

  /**
   * Takes the tools of the application. Call it once, at boot.
   * @throws ToolSchemaError for a hand-written schema that no validator can be made of
   */
  async prepare(registry: ToolRegistry): Promise<void> {
    this.registry = registry;
    const validatorOf = await createArgumentValidator();
    this.checkOutput = outputCheck(validatorOf, (warning) => this.logger.warn(warning));
    for (const tool of registry.all) {
      const validate = validatorOf(tool.inputSchema, omittedIfNull(tool.input));
      if (getMcpToolMeta(tool.route.handler)?.inputSchema) assertCompiles(tool, validate);
      this.validators.set(tool, validate);
    }
  }

  /** Calls of known tools so far, and those of them that ended as errors. */
  get metrics(): { readonly calls: number; readonly errors: number } {
    return { ...this.counts };
  }

  /** JSON of the `tools/list` result. */
  get listJson(): string {
    return this.registry.listJson;
  }

  /**
   * Validates the arguments and runs the route.
   * @returns undefined when there is no such tool
   */
  call(name: string, args: JsonObject, origin: CallOrigin): ToolCall | undefined {
    const tool = this.registry.find(name);
    if (!tool) {
      this.logger.debug(unknownTool(name));
      return undefined;
    }
    this.counts.calls++;
    const fault = this.validators.get(tool)?.(args);
    if (fault !== undefined) return this.refuse(tool, fault);

    try {
      const exchange = this.dispatcher.dispatch(tool, args, origin);
      const result = exchange.outcome.then((outcome) =>
        this.ended(tool, toolResultOf(tool, outcome)),
      );
      // Not written into the literal, where V8 would make it a long-lived object that keeps the call.
      const abort = () => exchange.abort();
      return { result, abort };
    } catch (error) {
      if (error instanceof ArgumentError) return this.refuse(tool, error.message);
      throw error;
    }
  }

  private refuse(tool: Tool, fault: string): ToolCall {
    this.logger.debug(`Arguments for "${tool.name}" were refused: ${fault}`);
    return {
      result: Promise.resolve(
        this.ended(tool, errorResult(`Invalid arguments for "${tool.name}": ${fault}`)),
      ),
      abort: () => undefined,
    };
  }

  private ended(tool: Tool, result: ToolResult): ToolResult {
    if (result.isError) this.counts.errors++;
    this.checkOutput(tool, result);
    return result;
  }
}

/** What a client is told that names a tool there is none of; a name of any length is cut. */
export function unknownTool(name: string): string {
  return `Unknown tool: ${name.length > 128 ? `${name.slice(0, 128)}...` : name}`;
}

/** Validators are compiled on their first call; a schema written by hand has it now. */
function assertCompiles(tool: Tool, validate: ArgumentValidator): void {
  try {
    validate({});
  } catch (error) {
    throw new ToolSchemaError(
      tool.route.label,
      `the inputSchema of @McpTool is no valid JSON Schema 2020-12 (${String(error)}).`,
    );
  }
}
