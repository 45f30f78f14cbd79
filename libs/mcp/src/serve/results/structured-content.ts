import { isObject } from '@fledge-internal/options';
import type {
  ArgumentValidator,
  ArgumentValidatorCompiler,
} from '../../publish/arguments/argument-validator.js';
import type { CallResponse } from '../call/recording.js';
import type { Tool } from '../../publish/catalogue/tool.js';
import { parsedJson } from '../protocol/json-rpc.js';
import { BODY } from '../../publish/schema/declared-output.js';
import type { PublishedOutput, StructuredForm } from '../../publish/schema/output-schema.js';
import { isCut } from './response-body.js';
import type { ToolResult } from './tool-result.js';
import type { JsonSchema } from '../../publish/decorators/author-schema.js';

/**
 * Adds structured content to the results of a tool with an output schema. Structured content must
 * match the schema, because strict clients throw otherwise.
 */
export class StructuredContent {
  private readonly validators = new Map<PublishedOutput, ArgumentValidator>();
  private readonly told = new Set<Tool>();

  constructor(
    private readonly validatorOf: ArgumentValidatorCompiler,
    private readonly warn: (warning: string) => void,
  ) {}

  /**
   * Returns the result with structured content, if the schema is the option `outputSchema`. If the
   * response does not match the schema, `check` logs a warning. Returns other results and
   * errors unchanged.
   */
  addExplicit(result: ToolResult, tool: Tool, response: CallResponse): ToolResult {
    if (tool.output?.source !== 'explicit' || result.isError) return result;
    const output = tool.output.object;
    const text = textOf(result);
    if (text === null) return result;
    const given = valuesOf(response, result);
    const contents = (given.length > 0 ? given : [text]).map((value) =>
      output.property === undefined && isObject(value) ? value : { result: value },
    );
    const matching = contents.find((each) => contents.length > 1 && !this.faultOf(each, output));
    return { ...result, structuredContent: matching ?? contents[0] };
  }

  /**
   * Returns the result with structured content, if the schema was derived from the route. A
   * response that does not match is sent in the property `body`, and a warning is logged once per
   * tool. Returns the result unchanged if the route declares no schema, if the result is an error,
   * or if the result already has structured content.
   */
  addDeclared(
    result: ToolResult,
    tool: Tool,
    response: CallResponse,
    form: StructuredForm,
  ): ToolResult {
    if (tool.output?.source !== 'declared') return result;
    if (result.isError || result.structuredContent !== undefined) return result;
    const output = tool.output[form];
    const values = valuesOf(response, result);
    const faults: string[] = [];
    for (const value of values) {
      const structuredContent = output.property ? { [output.property]: value } : value;
      const fault = this.faultOf(structuredContent, output);
      if (fault === undefined) return { ...result, structuredContent };
      faults.push(fault);
    }
    if (faults[0] !== undefined) {
      this.tell(
        tool,
        `the declared response type: ${faults[0]} Clients received the response in the property "${BODY}" of ` +
          'structuredContent. Correct the declared type, or set outputSchema of @McpTool.',
      );
    }
    return {
      ...result,
      structuredContent: { [BODY]: values.length > 0 ? values[0] : textOf(result) },
    };
  }

  /**
   * Checks the result of a tool against the option `outputSchema`. A result that does not match is
   * still sent, because the schema is documentation. A warning is logged once per tool.
   */
  check({ structuredContent, isError }: ToolResult, tool: Tool): void {
    if (tool.output?.source !== 'explicit' || isError || this.told.has(tool)) return;
    const fault = this.faultOf(structuredContent, tool.output.object);
    if (fault !== undefined) this.tell(tool, `outputSchema of @McpTool: ${fault}`);
  }

  private faultOf(structuredContent: unknown, output: PublishedOutput): string | undefined {
    const validate = this.validators.get(output) ?? this.validatorOf(asProperty(output.schema));
    this.validators.set(output, validate);
    return validate({ structuredContent });
  }

  private tell(tool: Tool, text: string): void {
    if (this.told.has(tool)) return;
    this.told.add(tool);
    this.warn(`${tool.route.label} returned a response that does not match ${text}`);
  }
}

/**
 * Returns the possible values of a response. Nest sends strings without quotes, so `123` may be a
 * number or a string. An empty body may be null or an empty string. If the body is binary or was
 * cut, there are no values.
 */
function valuesOf(response: CallResponse, result: ToolResult): readonly unknown[] {
  if (response.bytes === 0) return [null, ''];
  const text = textOf(result);
  if (text === null || isCut(response)) return [];
  const parsed = parsedJson(text);
  return parsed === undefined ? [text] : isObject(parsed) ? [parsed] : [parsed, text];
}

function textOf({ content: [first] }: ToolResult): string | null {
  return first?.type === 'text' ? first.text : null;
}

/** Errors at the root then contain the property's name, `structuredContent`. */
function asProperty({ $schema: _dialect, $defs, ...schema }: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { structuredContent: schema },
    required: ['structuredContent'],
    ...($defs !== undefined && { $defs }),
  };
}
