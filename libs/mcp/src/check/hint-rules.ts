import { inTools, type Rule } from './checked-server.js';
import { valuesIn } from './schema-walk.js';

const HINTS = ['readOnlyHint', 'destructiveHint', 'openWorldHint'];
const CRITERIA = 'claude.com connectors review criteria';

export const HINT_RULES: readonly Rule[] = [
  {
    id: 'H1',
    severity: 'error',
    clients: ['claude'],
    text: 'A tool has no title.',
    fix: 'Set @McpTool({ title }) or @ApiOperation({ summary }).',
    source: `${CRITERIA}, vm0-ai/vm0#36319`,
    date: '2026-09-23',
    find: inTools(({ title, annotations }) => !title && !annotations?.['title']),
  },
  {
    id: 'H1',
    severity: 'warning',
    clients: ['claude'],
    text:
      'A tool has a title, but no annotations.title. The submission portal reads ' +
      'annotations.title.',
    fix: 'Also send the title as annotations.title.',
    source: 'vm0-ai/vm0#36319',
    date: '2026-09-23',
    find: inTools(({ title, annotations }) => Boolean(title) && !annotations?.['title']),
  },
  {
    id: 'H2',
    severity: 'error',
    clients: ['openai'],
    text: 'A tool lacks readOnlyHint, destructiveHint or openWorldHint.',
    fix: 'Set all three hints: @McpTool({ annotations }).',
    source: 'whisper-money/whisper-money#751',
    date: '2026-08-10',
    find: inTools(({ annotations = {} }) =>
      HINTS.filter((hint) => typeof annotations[hint] !== 'boolean').join(', '),
    ),
  },
  {
    id: 'H3',
    severity: 'error',
    clients: ['claude'],
    text: 'A tool sets neither readOnlyHint nor destructiveHint.',
    fix: 'Set destructiveHint: @McpTool({ annotations: { destructiveHint: true } }).',
    source: CRITERIA,
    date: '2026-08-21',
    find: inTools(
      ({ annotations }) =>
        annotations?.['readOnlyHint'] !== true &&
        typeof annotations?.['destructiveHint'] !== 'boolean',
    ),
  },
  {
    id: 'H3',
    severity: 'info',
    clients: ['claude'],
    text: 'A tool is neither read-only nor destructive. Reviewers may ask for the reason.',
    fix: 'Prepare a reason, for example: the tool only creates records.',
    source: CRITERIA,
    date: '2026-08-21',
    find: inTools(
      ({ annotations }) =>
        annotations?.['readOnlyHint'] !== true && annotations?.['destructiveHint'] === false,
    ),
  },
  {
    id: 'H4',
    severity: 'error',
    clients: ['claude', 'openai'],
    text: 'A tool is marked both as read-only and as destructive.',
    fix: 'Correct one of the two hints.',
    source: CRITERIA,
    date: '2026-08-21',
    find: inTools(
      ({ annotations }) =>
        annotations?.['readOnlyHint'] === true && annotations['destructiveHint'] === true,
    ),
  },
  {
    id: 'H5',
    severity: 'error',
    clients: ['claude'],
    text: 'A parameter selects the HTTP method, so one tool can both read and write.',
    fix: 'Split the tool: one tool that reads, and one tool for each kind of write.',
    source: CRITERIA,
    date: '2026-08-21',
    find: inTools(({ inputSchema }) =>
      valuesIn(inputSchema, 'enum').some(
        (values) =>
          Array.isArray(values) &&
          values.some((value) => /^(GET|HEAD|OPTIONS)$/i.test(String(value))) &&
          values.some((value) => /^(POST|PUT|PATCH|DELETE)$/i.test(String(value))),
      ),
    ),
  },
  {
    id: 'H6',
    severity: 'warning',
    clients: ['claude', 'openai'],
    text: 'A tool is marked as read-only, but its name suggests that the tool changes something.',
    fix: 'Correct readOnlyHint, or rename the tool.',
    source: 'strelov1/freehire#3025',
    date: '2026-08-21',
    find: inTools(
      ({ name, annotations }) =>
        annotations?.['readOnlyHint'] === true &&
        /^(create|add|update|set|delete|remove|send|start|cancel)/i.test(name),
    ),
  },
];
