import {
  CHECKED_CLIENTS,
  type CheckedServer,
  type CheckedTool,
  inTools,
  type Rule,
} from './checked-server.js';

/** Guesses the server name that users write in the configuration of a client. */
function slugOf({ name }: CheckedServer): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9_-]+/g, '-');
}

function length(text: string, most: number): string {
  return text.length > most ? `${text.length} characters` : '';
}

export const NAME_RULES: readonly Rule[] = [
  {
    id: 'N1',
    severity: 'error',
    clients: ['claude', 'copilot'],
    text:
      'A tool name is longer than 64 characters, or contains characters other than letters, ' +
      'digits, _ and -. Clients then drop every tool of the server.',
    fix: "Set toolNames: 'underscored', or name the tool: @McpTool({ name: 'tasks_list' }).",
    source: 'evoila/meho#2745, github/copilot-cli#1879',
    date: '2026-08-02',
    find: inTools(({ name }) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name)),
  },
  {
    id: 'N2',
    severity: 'warning',
    clients: ['amazon-q', 'gemini'],
    text:
      'A tool name contains hyphens or dots, or does not start with a letter, so the client ' +
      'changes the name.',
    fix: 'Start the name with a letter, and use only letters, digits and _.',
    source: 'aws/amazon-q-developer-cli tool_manager.rs 15cc8f3',
    date: '2026-04-23',
    find: inTools(({ name }) => !/^[a-zA-Z][a-zA-Z0-9_]*$/.test(name)),
  },
  {
    id: 'N3',
    severity: 'error',
    clients: ['cursor'],
    text: 'The server name and the tool name together have more than 59 characters, so the client drops the tool.',
    fix: 'Shorten one of the two names.',
    source: 'ComposioHQ/composio#2788',
    date: '2026-02-27',
    find: inTools(({ name }, server) => length(slugOf(server) + name, 59)),
  },
  {
    id: 'N4',
    severity: 'warning',
    clients: ['claude-code'],
    text:
      'With the prefix that the client adds, the tool name is longer than 64 characters. Tool ' +
      'search may not find the tool.',
    fix: 'Shorten the tool name or the server name.',
    source: 'anthropics/claude-code#20643',
    date: '2026-01',
    find: inTools(({ name }, server) => length(`mcp__claude_ai_${slugOf(server)}__${name}`, 64)),
  },
  {
    id: 'N5',
    severity: 'warning',
    clients: ['copilot', 'gemini'],
    text: 'With the prefix that the client adds, the tool name is too long, so the client cuts it.',
    fix: 'Shorten the tool name or the server name.',
    source: 'google-gemini/gemini-cli mcp-tool.ts 5411f11, microsoft/vscode mcpTypes.ts 006c4ca',
    date: '2026-08-21',
    find: inTools(
      ({ name }, server) => length(name, 46) || length(`mcp_${slugOf(server)}_${name}`, 63),
    ),
  },
  {
    id: 'N6',
    severity: 'error',
    clients: CHECKED_CLIENTS,
    text: 'Some tool names differ only in case or punctuation, so clients treat the tools as one.',
    fix: "Give one of the tools another name: @McpTool({ name: '...' }).",
    source: 'aws/amazon-q-developer-cli tool_manager.rs 15cc8f3',
    date: '2026-04-23',
    find({ tools }) {
      const groups = new Map<string, CheckedTool[]>();
      for (const tool of tools) {
        const key = tool.name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
        groups.set(key, [...(groups.get(key) ?? []), tool]);
      }
      return [...groups.values()]
        .filter((group) => group.length > 1)
        .flatMap((group) => group.map(({ name }) => ({ tool: name })));
    },
  },
  {
    id: 'N7',
    severity: 'warning',
    clients: ['gemini'],
    text: 'The server name contains _, so policies for the tools of this server have no effect.',
    fix: 'Replace _ with - in the server name.',
    source: 'google-gemini/gemini-cli mcp-tool.ts 5411f11',
    date: '2026-08-21',
    find: (server) => (slugOf(server).includes('_') ? [{ detail: server.name }] : []),
  },
];
