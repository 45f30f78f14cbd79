import { CHECKED_CLIENTS, inTools, type Rule, type Schema } from './checked-server.js';
import { draft07Fault } from './draft-07.js';
import { inProperties, isSchema, typesOf, valuesIn } from './schema-walk.js';

const NORMALIZER = 'microsoft/vscode-copilot-chat toolSchemaNormalizer.ts 31acd00';
const SUBMISSION = 'openai/plugins chatgpt-app-submission/SKILL.md 3fdeeb4';

/** Keywords that clients remove, so the model does not see them. */
const DROPPED = [
  ...['pattern', 'format', 'default', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems'],
];

/** Words in parameter names that indicate a secret. */
const SECRET = /\b(password|secret|ssn|cvv|otp|mfa|api key|access token|card number)\b/;

function keysOf(schema: unknown): readonly string[] {
  return isSchema(schema) ? Object.keys(schema) : [];
}

/** Splits a name into words: `pageToken` becomes `page token`. */
function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.-]+/g, ' ')
    .toLowerCase();
}

function isObjectLike(schema: Schema): boolean {
  const { items } = schema;
  return (
    typesOf(schema).includes('object') || (isSchema(items) && typesOf(items).includes('object'))
  );
}

function refersToNothing(schema: Schema): string {
  return valuesIn(schema, '$ref')
    .filter((ref) => {
      if (typeof ref !== 'string' || !ref.startsWith('#')) return true;
      const steps = ref.split('/').slice(1);
      const target = steps.reduce<unknown>((at, step) => {
        const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
        return isSchema(at) ? at[key] : undefined;
      }, schema);
      return target === undefined;
    })
    .join(', ');
}

/** Returns a malformed step unchanged. */
function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

export const SCHEMA_RULES: readonly Rule[] = [
  {
    id: 'S1',
    severity: 'error',
    clients: CHECKED_CLIENTS,
    text: "An input schema is not of type 'object'.",
    fix: 'Wrap the value in an object.',
    source: 'MCP specification, server/tools',
    date: '2026-07-28',
    find: inTools(({ inputSchema }) => inputSchema['type'] !== 'object'),
  },
  {
    id: 'S2',
    severity: 'error',
    clients: ['claude', 'copilot'],
    text:
      'An input schema has `oneOf`, `anyOf`, `allOf`, `not` or `if` at its root. The Claude API ' +
      'then rejects all tools.',
    fix: 'Declare all properties in one object, and validate their combinations in the route.',
    source: 'anthropics/claude-code#64113',
    date: '2026-05-31',
    find: inTools(({ inputSchema }) =>
      ['oneOf', 'anyOf', 'allOf', 'not', 'if'].filter((key) => key in inputSchema).join(', '),
    ),
  },
  {
    id: 'S3',
    severity: 'error',
    clients: ['claude'],
    text:
      'A parameter name is longer than 64 characters, or contains characters other than letters, ' +
      'digits, _, - and dots. The Claude API then rejects all tools.',
    fix: 'Rename the parameter.',
    source: 'anthropics/claude-code#79418',
    date: '2026-08-17',
    find: inTools(({ inputSchema }) =>
      keysOf(inputSchema['properties'])
        .filter((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name))
        .join(', '),
    ),
  },
  {
    id: 'S4',
    severity: 'error',
    clients: ['claude'],
    text: 'An input schema has more than 16,384 bytes, so claude.ai drops the tool.',
    fix: 'Split the route, or set a shorter inputSchema in @McpTool.',
    source: 'anthropics/claude-code#77296',
    date: '2026-07-13',
    find: inTools(({ inputSchema }) => {
      const bytes = Buffer.byteLength(JSON.stringify(inputSchema));
      return bytes > 16_384 ? `${bytes} bytes` : '';
    }),
  },
  {
    id: 'S5',
    severity: 'error',
    clients: ['openai'],
    text: 'A tool definition has more than 5,000 tokens (estimate: four bytes per token).',
    fix: 'Shorten the description and the schema.',
    source: 'directus/mcp#14',
    date: '2025-11-27',
    find: inTools(({ name, description = '', inputSchema }) => {
      const tokens = Buffer.byteLength(name + description + JSON.stringify(inputSchema)) / 4;
      return tokens > 5_000 ? `${Math.round(tokens)} tokens` : '';
    }),
  },
  {
    id: 'S6',
    severity: 'error',
    clients: ['claude'],
    text: 'A $ref points to a definition that the schema does not contain.',
    fix: 'Add the definition to the $defs of the schema.',
    source: 'Softeria/ms-365-mcp-server#181',
    date: '2026-01-07',
    find: inTools(({ inputSchema }) => refersToNothing(inputSchema)),
  },
  {
    id: 'S6',
    severity: 'warning',
    clients: ['claude', 'zed'],
    text:
      'A schema contains $ref. Cowork removes $ref for local connectors, and Zed rejects $ref ' +
      'for Google models.',
    fix: 'Use flat parameter types, which need no $ref.',
    source: 'anthropics/claude-ai-mcp#591',
    date: '2026-07-10',
    find: inTools(({ inputSchema }) => valuesIn(inputSchema, '$ref').length > 0),
  },
  {
    id: 'S7',
    severity: 'error',
    clients: ['copilot', 'windsurf'],
    text: 'An array has no item type.',
    fix: 'Declare the type of the items.',
    source: `DaxianLee/cocos-mcp-server#14, ${NORMALIZER}`,
    date: '2026-03-17',
    find: inProperties(({ schema }) => typesOf(schema).includes('array') && !schema['items']),
  },
  {
    id: 'S8',
    severity: 'error',
    clients: ['claude'],
    text: 'A parameter has no type.',
    fix:
      'Declare a type, even next to anyOf. Use a DTO class with validators, a schema in @Body or ' +
      '@Query, or @McpTool({ inputSchema }).',
    source: 'vm0-ai/vm0#36319',
    date: '2026-09-23',
    find: inProperties(({ schema }) => !('type' in schema) && !('$ref' in schema)),
  },
  {
    id: 'S9',
    severity: 'warning',
    clients: ['claude'],
    text: 'A parameter has nested objects, which claude.ai removes.',
    fix: 'Flatten the parameter.',
    source: 'anthropics/claude-ai-mcp#578',
    date: '2026-07-08',
    find: inProperties(({ path, schema }) => path.includes('.') && isObjectLike(schema)),
  },
  {
    id: 'S10',
    severity: 'error',
    clients: ['copilot'],
    text: 'A schema is invalid in JSON Schema draft-07, so VS Code drops the tool.',
    fix: 'Correct the keywords that the finding names.',
    source: 'microsoft/vscode mcpServer.ts 0052d68',
    date: '2026-11-25',
    find: inTools(({ inputSchema }) => draft07Fault(inputSchema)),
  },
  {
    id: 'S11',
    severity: 'warning',
    clients: ['copilot', 'gemini', 'codex'],
    text:
      'A parameter uses a keyword that Copilot, Gemini and Codex drop, and its description does ' +
      'not repeat the value.',
    fix: 'Repeat the value of the keyword in the description.',
    source: NORMALIZER,
    date: '2026-03-29',
    find: inProperties(({ schema }) => {
      const { description } = schema;
      const said = typeof description === 'string' ? description : '';
      return DROPPED.filter((key) => key in schema && !said.includes(String(schema[key]))).join(
        ', ',
      );
    }),
  },
  {
    id: 'S12',
    severity: 'warning',
    clients: ['copilot', 'zed'],
    text: 'A parameter has more than one type.',
    fix: 'Choose one type.',
    source: NORMALIZER,
    date: '2026-03-29',
    find: inProperties(({ schema }) => typesOf(schema).length > 1),
  },
  {
    id: 'S13',
    severity: 'warning',
    clients: ['openai'],
    text: 'A parameter has no description, or is an object without declared properties.',
    fix: "Describe the parameter: @ApiProperty({ description: 'Due date, YYYY-MM-DD' }).",
    source: SUBMISSION,
    date: '2026-06-25',
    find: inProperties(({ schema }) => {
      const described = schema['description'];
      return [
        ...(typeof described === 'string' && described.trim() !== '' ? [] : ['no description']),
        ...(schema['type'] === 'object' && !isSchema(schema['properties'])
          ? ['no properties']
          : []),
      ].join(', ');
    }),
  },
  {
    id: 'S14',
    severity: 'error',
    clients: ['openai'],
    text: 'A parameter accepts a secret.',
    fix: 'Remove the parameter, and let the user enter the secret on a web page (elicitation by URL).',
    source: SUBMISSION,
    date: '2026-06-25',
    find: inProperties(({ name }) => SECRET.test(wordsOf(name))),
  },
  {
    id: 'S15',
    severity: 'warning',
    clients: ['openai', 'scanners'],
    text: 'A tool has no output schema.',
    fix: "Set McpModule.forRoot({ outputSchemas: 'declared' }), or @McpTool({ outputSchema }).",
    source: `${SUBMISSION}, Cisco HEUR-008`,
    date: '2026-06-25',
    find: inTools(({ outputSchema }) => outputSchema === undefined),
  },
  {
    id: 'S15',
    severity: 'error',
    clients: ['openai', 'scanners'],
    text:
      "An output schema is not of type 'object'. Protocol versions before 2026-07-28 require an " +
      'object.',
    fix: 'Wrap the value in an object.',
    source: 'MCP specification, SEP-2106',
    date: '2026-07-28',
    find: inTools(
      ({ outputSchema }, { protocolVersion = '2026-07-28' }) =>
        protocolVersion < '2026-07-28' &&
        outputSchema !== undefined &&
        outputSchema['type'] !== 'object',
    ),
  },
  {
    id: 'C1',
    severity: 'warning',
    clients: ['cursor', 'windsurf', 'copilot'],
    text:
      'The endpoint has more than 40 tools. Cursor then slows down. Windsurf accepts at most 100 ' +
      'tools, and Copilot at most 128.',
    fix: 'Split the tools between several endpoints, or set `search: true`.',
    source: 'mcptrove.com, desplega.ai, microsoft/vscode-copilot-chat 31acd00',
    date: '2026-03-29',
    find: ({ tools }) => (tools.length > 40 ? [{ detail: `${tools.length} tools` }] : []),
  },
  {
    id: 'R1',
    severity: 'warning',
    clients: ['claude-code'],
    text:
      'A tool announces results of more than 500,000 characters, but Claude Code treats 500,000 ' +
      'as the maximum.',
    fix: 'Lower anthropic/maxResultSizeChars in _meta of the tool.',
    source: 'Claude Code documentation, mcp.md',
    date: '2026-08-22',
    find: inTools((tool) => announced(tool._meta) > 500_000),
  },
  {
    id: 'R2',
    severity: 'info',
    clients: ['gemini', 'claude'],
    text:
      'Results may be larger than clients accept. Gemini accepts 40,000 characters, and ' +
      'claude.ai 130,000.',
    fix: 'Paginate the route, or limit its results: @McpTool({ result: { maxBytes } }).',
    source: 'google-gemini/gemini-cli tool-executor.ts, Anthropic payload-budgeting.md',
    date: '2026-08-21',
    find: inTools((tool) => announced(tool._meta) > 40_000),
  },
];

function announced(meta: Schema | undefined): number {
  const size = meta?.['anthropic/maxResultSizeChars'];
  return typeof size === 'number' ? size : 0;
}
