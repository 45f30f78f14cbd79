import { Injectable, Logger } from '@nestjs/common';
import { type Caller, mcpRequestOf } from '../calls/caller.js';
import type { Peer } from '../calls/peer.js';
import { Catalogue } from '../catalogue/catalogue.js';
import type { ListJson } from '../catalogue/published-list.js';
import type { Tool } from '../catalogue/tool.js';
import type {
  ArgumentValidator,
  ArgumentValidatorCompiler,
} from '../arguments/argument-validator.js';
import { type JsonObject, shortened } from '../messages/json-rpc.js';
import { OperationRunner, type Run } from './operation-runner.js';
import { errorResult, type ToolResult, toolResultOf } from './tool-result.js';
import type { JsonSchema } from '../decorators/author-schema.js';

/** A call of a tool under way. */
export interface ToolCall {
  /** Never rejects for what a client sent. Of no meaning where the peer has a demand. */
  readonly result: Promise<ToolResult>;
  /** Ends the call; its handler sees the caller go away. */
  abort(): void;
}

/** Answers `tools/list` and `tools/call`, whatever revision and transport they came by. */
@Injectable()
export class ToolCaller {
  private readonly logger = new Logger('McpModule');
  private readonly counts = { calls: 0, errors: 0 };
  private tools = new Catalogue().tools;
  private checkOutput: ReturnType<typeof outputCheck> = () => undefined;

  constructor(private readonly runner: OperationRunner) {}

  /** Takes what the application publishes. Call it once, at boot. */
  prepare({ tools }: Catalogue, validatorOf: ArgumentValidatorCompiler): void {
    this.tools = tools;
    this.checkOutput = outputCheck(validatorOf, (warning) => this.logger.warn(warning));
  }

  /** Calls of known tools so far, and those of them that ended as errors. */
  get metrics(): { readonly calls: number; readonly errors: number } {
    return { ...this.counts };
  }

  /** JSON of the `tools/list` result. */
  listJson(caller: Caller): Promise<ListJson> {
    return this.tools.json(mcpRequestOf(caller));
  }

  /** The tool of a name, where there is one that the caller may see. */
  find(name: string, caller: Caller): Promise<Tool | undefined> {
    return this.tools.find(name, mcpRequestOf(caller));
  }

  /**
   * Validates the arguments and runs the route.
   * @returns undefined when there is no such tool
   */
  async call(
    name: string,
    args: JsonObject,
    caller: Caller,
    peer: Peer,
  ): Promise<ToolCall | undefined> {
    const tool = await this.find(name, caller);
    if (!tool) {
      this.logger.debug(unknownTool(name));
      return undefined;
    }
    this.counts.calls++;
    const run = this.runner.run(tool, args, caller, peer);
    const result = this.resultOf(tool, run, peer);
    // Not written into the literal, where V8 would make it a long-lived object that keeps the call.
    const abort = () => run.abort();
    return { result, abort };
  }

  private async resultOf(tool: Tool, run: Run, peer: Peer): Promise<ToolResult> {
    const outcome = await run.outcome;
    if (outcome.kind === 'refused') {
      this.counts.errors++;
      return errorResult(`Invalid arguments for "${tool.name}": ${outcome.fault}`);
    }
    const result = toolResultOf(tool, outcome, (warning) => this.logger.warn(warning));
    if (peer.demand === undefined) {
      if (result.isError) this.counts.errors++;
      this.checkOutput(tool, result);
    }
    return result;
  }
}

/** What a client is told that names a tool there is none of; a name of any length is cut. */
export function unknownTool(name: string): string {
  return `Unknown tool: ${shortened(name)}`;
}

type Compile = (schema: JsonSchema) => ArgumentValidator;

/**
 * A function that tells of results which are not as their tool published them. An output schema is
 * documentation (contract): the caller gets the answer all the same, and the log hears of it once a
 * tool.
 */
export function outputCheck(
  compile: Compile,
  warn: (warning: string) => void,
): (tool: Tool, result: ToolResult) => void {
  const validators = new Map<Tool, ArgumentValidator>();
  const told = new Set<Tool>();

  return (tool, { structuredContent, isError }) => {
    if (tool.output === undefined || isError || told.has(tool)) return;
    const validate = validators.get(tool) ?? compile(asProperty(tool.output.schema));
    validators.set(tool, validate);
    const fault = validate({ structuredContent });
    if (fault === undefined) return;
    told.add(tool);
    warn(`${tool.route.label} answered otherwise than its outputSchema says: ${fault}`);
  };
}

/** Under a name of its own, so that a fault at the root is said to be one of the content. */
function asProperty({ $schema: _dialect, $defs, ...schema }: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { structuredContent: schema },
    required: ['structuredContent'],
    ...($defs !== undefined && { $defs }),
  };
}
