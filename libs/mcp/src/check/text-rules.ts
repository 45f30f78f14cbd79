import {
  CHECKED_CLIENTS,
  type CheckedServer,
  type CheckedTool,
  inTools,
  type Rule,
} from './checked-server.js';
import { inProperties, propertiesIn, valuesIn } from './schema-walk.js';

const CRITERIA = 'claude.com connectors review criteria';
const SNYK = 'snyk/agent-scan docs/issue-codes.md b9e98ab';

/** Characters that people do not see, except tabs and line ends. */
const INVISIBLE = /(?![\t\r\n])[\p{Cf}\p{Cc}]/u;

/** Words that give the model orders. Scanners report them. */
const LOUD = /\b(important|crucial|critical|vital|urgent|ignore|disregard|override|bypass)\b/i;

const ORDERS =
  /always (consult|use|run|call|invoke) this tool|(must|only).*this tool|do not (mention|tell|execute)|(bypass|disregard|forget|ignore)\s+(all|any|every)?\s*(your|the)?\s*(command|context|data|guideline|input|instruction|message|request|response|text)/i;

/** Names of parameters that usually accept any path, URL or query. */
const FREE_FORM = new Set(['path', 'url', 'endpoint', 'query', 'body']);

/** Lists every string of a tool that a model may read. */
function textsOf({ name, title, description, inputSchema }: CheckedTool): readonly string[] {
  return [
    name,
    title,
    description,
    ...propertiesIn(inputSchema).map((property) => property.name),
    ...['title', 'description', 'enum'].flatMap((keyword) => valuesIn(inputSchema, keyword)),
  ]
    .flat()
    .filter((text) => typeof text === 'string');
}

function found(pattern: RegExp, texts: readonly string[]): string {
  return texts.flatMap((text) => pattern.exec(text)?.[0] ?? []).join(', ');
}

function bytesOver(text: string, most: number): string {
  const bytes = Buffer.byteLength(text);
  return bytes > most ? `${bytes} bytes` : '';
}

export const TEXT_RULES: readonly Rule[] = [
  {
    id: 'D1',
    severity: 'error',
    clients: ['amazon-q', 'copilot'],
    text: 'A tool has no description, so the client drops the tool.',
    fix: "Write a description: @McpTool({ description: '...' }).",
    source: 'aws/amazon-q-developer-cli tool_manager.rs 15cc8f3',
    date: '2026-04-23',
    find: inTools(({ description }) => !description?.trim()),
  },
  {
    id: 'D2',
    severity: 'warning',
    clients: ['claude-code'],
    text:
      'A description or the server instructions have more than 2,048 bytes, so the client cuts ' +
      'off the rest.',
    fix: 'Move details into the parameter descriptions.',
    source: 'Claude Code documentation, mcp.md',
    date: '2026-08-22',
    find: (server) => [
      ...[bytesOver(server.instructions ?? '', 2_048)]
        .filter((fact) => fact !== '')
        .map((fact) => ({ detail: `instructions: ${fact}` })),
      ...inTools(({ description = '' }) => bytesOver(description, 2_048))(server),
    ],
  },
  {
    id: 'D3',
    severity: 'warning',
    clients: ['openai'],
    text: 'A description has more than 1,024 characters, so the chat API rejects the description.',
    fix: 'Shorten the description.',
    source: 'FoundationAgents/OpenManus#820',
    date: '2025-03',
    find: inTools(({ description = '' }) => description.length > 1_024),
  },
  {
    id: 'D3',
    severity: 'info',
    clients: ['openai'],
    text:
      'A description has more than 200 characters. According to one report, the submission ' +
      'portal accepts at most 200.',
    fix: 'Start the description with the most important sentence.',
    source: 'whisper-money/whisper-money#751',
    date: '2026-08-10',
    find: inTools(
      ({ description = '' }) => description.length > 200 && description.length <= 1_024,
    ),
  },
  {
    id: 'D4',
    severity: 'error',
    clients: ['scanners'],
    text: 'A name, title, description or enum value contains invisible characters.',
    fix: 'Remove the invisible characters, including zero-width joiners in emoji.',
    source: `Snyk: ${SNYK}`,
    date: '2026-06-30',
    find: inTools((tool) => textsOf(tool).some((text) => INVISIBLE.test(text))),
  },
  {
    id: 'D5',
    severity: 'warning',
    clients: ['scanners'],
    text: 'A description contains a word that looks like an order to the model.',
    fix: 'Replace the word.',
    source: `Snyk: ${SNYK}, W001`,
    date: '2026-06-30',
    find: inTools(({ description = '' }) => found(LOUD, [description])),
  },
  {
    id: 'D6',
    severity: 'error',
    clients: ['claude', 'scanners'],
    text: 'A description contains instructions to the model.',
    fix: 'Describe what the tool does, without giving the model instructions.',
    source: `${CRITERIA}, cisco-ai-defense/mcp-scanner 893327c`,
    date: '2026-08-06',
    find: inTools((tool) => found(ORDERS, textsOf(tool).slice(1))),
  },
  {
    id: 'D7',
    severity: 'warning',
    clients: ['scanners'],
    text: 'A description names a tool of another server.',
    fix: 'Remove the name of the other tool.',
    source: `Snyk: ${SNYK}, E002`,
    date: '2026-06-30',
    find: inTools(({ description = '' }, { tools }: CheckedServer) =>
      (description.match(/\bmcp__\w*|\b[a-zA-Z0-9]\w*__\w+\b/g) ?? [])
        .filter((name) => !tools.some((tool) => tool.name === name))
        .join(', '),
    ),
  },
  {
    id: 'D8',
    severity: 'warning',
    clients: ['claude'],
    text: 'A parameter accepts any path, URL or query, and no description links to the API documentation.',
    fix: 'List the allowed values in an enum, or link to the documentation in the description.',
    source: CRITERIA,
    date: '2026-08-21',
    find: inProperties(
      ({ name, path, schema }, { description }) =>
        name === path &&
        FREE_FORM.has(name) &&
        schema['type'] === 'string' &&
        schema['enum'] === undefined &&
        !/https?:\/\//.test(`${description ?? ''} ${String(schema['description'])}`),
    ),
  },
  {
    id: 'D9',
    severity: 'info',
    clients: CHECKED_CLIENTS,
    text:
      'Two descriptions have more than 90% of their words in common, so a model cannot choose ' +
      'between the tools.',
    fix: 'Say in each description when to use the tool.',
    source: 'glama.ai score pages',
    date: '2026-09',
    find: ({ tools }) => {
      const words = tools.map(
        ({ description = '' }) => new Set(description.toLowerCase().match(/[\p{L}\p{N}]+/gu)),
      );
      return tools.flatMap(({ name }, i) => {
        const twin = tools.find((_, j) => j < i && areAlike(words[i], words[j]));
        return twin ? { tool: name, detail: `similar to ${twin.name}` } : [];
      });
    },
  },
  {
    id: 'D10',
    severity: 'warning',
    clients: ['scanners'],
    text:
      'The description contains only the HTTP method and the path, so an agent has to guess what ' +
      'the tool does.',
    fix: 'Write a description: @McpTool({ description }) or @ApiOperation({ summary }).',
    source: 'Cisco: cisco-ai-defense/mcp-scanner readiness-scanning.md 893327c, HEUR-009',
    date: '2026-08-06',
    find: inTools(({ description = '' }) =>
      /^(GET|QUERY|POST|PUT|PATCH|DELETE) \/\S*( \(.*\))?$/.test(description.split('\n', 1)[0]!),
    ),
  },
];

function areAlike(a: ReadonlySet<string> = new Set(), b: ReadonlySet<string> = new Set()): boolean {
  const most = Math.max(a.size, b.size);
  return most > 0 && [...a].filter((word) => b.has(word)).length / most > 0.9;
}
