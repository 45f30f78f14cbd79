import type { JsonSchema } from '../decorators/tool.metadata.js';
import type { Tool } from '../registry/tool.js';
import type { ArgumentValidator } from '../schema/argument-validator.js';
import type { ToolResult } from './tool-result.js';

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
