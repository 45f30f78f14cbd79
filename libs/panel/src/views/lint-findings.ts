import type { PanelSchema } from '@fledge/core/packages';
import type { LintFinding, MeasuredTool } from '../panel.api.js';
import { eachSchema, type Parameter, parametersOf } from './parameters.js';
import { tokensOf } from './measured-tool.js';

type Place = LintFinding['places'][number];

/** Reads one kind of finding from the tools. Undefined if there is none. */
type Rule = (tools: readonly MeasuredTool[]) => LintFinding | undefined;

/** What costs tokens or makes agents guess, the most important first. */
export function findingsOf(tools: readonly MeasuredTool[], tokenLimit: number): LintFinding[] {
  const rules: Rule[] = [
    sizeOver(tokenLimit),
    noDescription,
    undescribed,
    untyped,
    typeLists,
    references,
  ];
  return rules.flatMap((rule) => rule(tools) ?? []);
}

function sizeOver(tokenLimit: number): Rule {
  return (tools) => {
    const tokens = tokensOf(tools.reduce((sum, { bytes }) => sum + bytes, 0));
    if (tokens <= tokenLimit) return undefined;
    const widest = [...tools].sort((a, b) => b.bytes - a.bytes).slice(0, 5);
    return {
      kind: 'size',
      severity: 'warn',
      title: `The tools cost about ${tokens} tokens`,
      text: `Many clients send each tool to the model with every conversation. Claude Code warns above ${tokenLimit} tokens.`,
      places: widest.map(({ name }) => ({ tool: name })),
      cure: 'Hide tools that agents do not need, or split the server: exclude, @McpTool({ description, hidden: true }), visible.',
      example: 'McpModule.forRoot({ exclude: ["/admin/*"] })',
    };
  };
}

const noDescription: Rule = (tools) =>
  listed(
    // What a tool without @McpTool({ description }) and @ApiOperation() gets.
    tools.filter(({ description, verb, path }) =>
      ['', `${verb} ${path}`].includes(description.trim()),
    ),
    ({ name }) => [{ tool: name }],
    (count) => ({
      kind: 'tool-description',
      severity: 'warn',
      title: `${counted(count, 'tool')} without a description`,
      text: 'An agent chooses tools by their descriptions, and has only the route to go by here.',
      cure: 'Say what the tool does, when to use it and what it returns.',
      example: "@McpTool({ description: 'Lists open tasks, the most urgent first' })",
    }),
  );

const undescribed: Rule = (tools) =>
  listed(
    tools,
    ({ name, undescribed: parameters }) =>
      parameters.map((parameter) => ({ tool: name, parameter })),
    (count) => ({
      kind: 'parameter-description',
      severity: 'warn',
      title: `${counted(count, 'parameter')} without a description`,
      text: 'An agent has only the name and type to guess from.',
      cure: 'Describe the parameter: format, unit, where its value comes from.',
      example: "@ApiProperty({ description: 'Due date, YYYY-MM-DD' })",
    }),
  );

const untyped: Rule = (tools) =>
  listed(tools, placesWhere(isUntyped), (count) => ({
    kind: 'untyped',
    severity: 'warn',
    title: `${counted(count, 'parameter')} without a type`,
    text: 'The schema accepts every value, so agents send what the route may refuse.',
    cure: 'Give the parameter a type: a DTO class with validators, a schema, or inputSchema.',
  }));

const typeLists: Rule = (tools) =>
  listed(tools, placesWhere(contains(({ type }) => Array.isArray(type))), (count) => ({
    kind: 'type-list',
    severity: 'note',
    title: `${counted(count, 'parameter')} with a list of types`,
    text: 'A type such as ["string", "null"] is valid JSON Schema. OpenAPI 3.0, which some clients convert tools to, has one type.',
    cure: 'If null means the same as leaving the parameter out, make it optional instead.',
  }));

const references: Rule = (tools) =>
  listed(tools, placesWhere(contains(({ $ref }) => $ref !== undefined)), (count) => ({
    kind: 'reference',
    severity: 'note',
    title: `${counted(count, 'parameter')} with a $ref`,
    text: 'References are valid JSON Schema. Clients that convert schemas may not follow them.',
    cure: 'Keep the type of the parameter flat and without recursion.',
  }));

/** Makes a finding of the places, if there are any. */
function listed(
  tools: readonly MeasuredTool[],
  placesOf: (tool: MeasuredTool) => readonly Place[],
  finding: (count: number) => Omit<LintFinding, 'places'>,
): LintFinding | undefined {
  const places = tools.flatMap(placesOf);
  return places.length === 0 ? undefined : { ...finding(places.length), places };
}

function placesWhere(fits: (parameter: Parameter) => boolean) {
  return ({ name, inputSchema }: MeasuredTool): Place[] =>
    parametersOf(inputSchema)
      .filter(fits)
      .map((parameter) => ({ tool: name, parameter: parameter.name }));
}

function contains(fits: (schema: PanelSchema) => boolean) {
  return ({ schema }: Parameter): boolean => {
    let found = false;
    eachSchema(schema, (each) => (found ||= fits(each)));
    return found;
  };
}

/** Keywords that say which values are accepted. */
const TYPING = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref', 'properties', 'items'];

function isUntyped({ resolved }: Parameter): boolean {
  return !TYPING.some((keyword) => resolved[keyword] !== undefined);
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
