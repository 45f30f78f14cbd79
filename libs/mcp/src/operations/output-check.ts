import type { ArgumentValidator } from '../arguments/argument-validator.js';
import type { Tool } from '../catalogue/tool.js';
import type { JsonSchema } from '../decorators/author-schema.js';
import type { ToolResult } from './tool-result.js';

type Compile = (schema: JsonSchema) => ArgumentValidator;

/**
 * Returns a function that compares results with the output schema of their tool. The schema is
 * documentation: the caller gets a deviating result too, and a warning is logged once per tool.
 */
export function outputCheck(
  compile: Compile,
  warn: (warning: string) => void,
): (tool: Tool, result: ToolResult) => void {
  const validators = new Map<Tool, ArgumentValidator>();
  const told = new Set<Tool>();

  return (tool, { structuredContent, isError }) => {
    if (tool.output?.source !== 'explicit' || isError || told.has(tool)) return;
    const validate = validators.get(tool) ?? compile(asProperty(tool.output.object.schema));
    validators.set(tool, validate);
    const fault = validate({ structuredContent });
    if (fault === undefined) return;
    told.add(tool);
    warn(`${tool.route.label} answered otherwise than its outputSchema says: ${fault}`);
  };
}

/** Wraps the schema in a property, so that an error at its root names `structuredContent`. */
export function asProperty({ $schema: _dialect, $defs, ...schema }: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { structuredContent: schema },
    required: ['structuredContent'],
    ...($defs !== undefined && { $defs }),
  };
}
