import { isObject } from '@fledge-internal/options';
import type { ArgumentValidatorCompiler } from '../../publish/arguments/argument-validator.js';
import type { Peer } from '../call/peer.js';
import type { JsonSchema } from '../../publish/decorators/author-schema.js';
import type { JsonObject } from '../protocol/json-rpc.js';
import { type Redaction, redactionOf, resultRedactionOf } from '../../publish/schema/redaction.js';
import { withParsedJson } from './json-arguments.js';
import type { LocalTool } from './local-items.js';
import { errorResult, type ToolResult } from '../results/tool-result.js';

export interface CallableLocalTool {
  readonly kind: 'local';
  readonly name: string;
  readonly scopes: readonly string[];
  readonly visibleAs: LocalTool['visibleAs'];
  readonly redact: Redaction;
  readonly redactResult: Redaction;
  /** If the arguments are invalid, returns an error result. */
  run(args: JsonObject, peer: Peer): Promise<ToolResult>;
}

/** Returns undefined if there are none. */
export function compileLocalTools(
  tools: readonly LocalTool[],
  validatorOf: ArgumentValidatorCompiler,
): ReadonlyMap<string, CallableLocalTool> | undefined {
  if (tools.length === 0) return undefined;
  return new Map(tools.map((tool) => [tool.definition.name, compileTool(tool, validatorOf)]));
}

function compileTool(
  { definition, redact, run, scopes = [], visibleAs, isChecked = true }: LocalTool,
  validatorOf: ArgumentValidatorCompiler,
): CallableLocalTool {
  const { name, inputSchema, outputSchema = {} } = definition;
  const validate = isChecked
    ? validatorOf(inputSchema, optionalArguments(inputSchema))
    : () => undefined;
  return {
    kind: 'local',
    name,
    scopes,
    visibleAs,
    redact: redact ?? redactionOf(inputSchema, []),
    redactResult: resultRedactionOf(outputSchema, inputSchema, []),
    run(given, peer) {
      const args = isChecked ? withParsedJson(given, inputSchema) : given;
      // If the extension checks the arguments itself, they are already part of the run.
      if (!isChecked) peer.caller.watch?.runsLocally();
      const fault = validate(args);
      return Promise.resolve(
        fault === undefined
          ? run(args, peer)
          : errorResult(`Invalid arguments for "${name}": ${fault}`),
      );
    },
  };
}

function optionalArguments({ properties, required }: JsonSchema): ReadonlySet<string> {
  const names = isObject(properties) ? Object.keys(properties) : [];
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return new Set(names.filter((name) => !needed.includes(name)));
}
