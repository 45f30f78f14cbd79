import { describe, expect, it } from '@jest/globals';
import { checkServer, checkServers, findingText } from './check-server.js';
import type { CheckedClient, CheckedServer, CheckedTool } from './checked-server.js';

const HINTS = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };

const ID = { type: 'string', description: 'Id of a task' };

/** A tool without faults, with changes. */
const tool = (name: string, change: Partial<CheckedTool> = {}): CheckedTool => ({
  name,
  title: name,
  description: `Does ${name}`,
  inputSchema: { type: 'object', properties: { id: ID } },
  outputSchema: { type: 'object' },
  annotations: { title: name, ...HINTS },
  ...change,
});

const withProperty = (property: object, name = 'p'): Partial<CheckedTool> => ({
  inputSchema: { type: 'object', properties: { [name]: property } },
});

const hints = (change: object): Partial<CheckedTool> => ({
  annotations: { title: 't', ...HINTS, ...change },
});

const server = (tools: readonly CheckedTool[], more: Partial<CheckedServer> = {}) => ({
  name: 'shop',
  tools,
  ...more,
});

const found = (given: CheckedServer, clients?: readonly CheckedClient[]) =>
  checkServer(given, clients).map(({ rule, severity }) => `${rule} ${severity}`);

const text = (description: string, more: object = {}) => ({ ...ID, description, ...more });

/** A deliberate mistake in a tool, and what has to be found: exactly that. */
const MISTAKES: readonly [fault: string, tool: CheckedTool, found: readonly string[]][] = [
  ['a dot in a name', tool('tasks.list'), ['N1 error', 'N2 warning']],
  ['a hyphen in a name', tool('tasks-list'), ['N2 warning']],
  ['a name of 47 characters', tool(`a${'b'.repeat(46)}`), ['N4 warning', 'N5 warning']],
  ['a name of 56 characters', tool(`a${'b'.repeat(55)}`), ['N3 error', 'N4 warning', 'N5 warning']],
  ['no title', tool('a', { title: undefined, annotations: HINTS }), ['H1 error']],
  ['a title in one place', tool('a', { annotations: HINTS }), ['H1 warning']],
  ['a missing hint', tool('a', hints({ openWorldHint: undefined })), ['H2 error']],
  ['no hints', tool('a', { annotations: { title: 'a' } }), ['H2 error', 'H3 error']],
  ['a harmless write', tool('a', hints({ readOnlyHint: false })), ['H3 info']],
  ['hints that exclude each other', tool('a', hints({ destructiveHint: true })), ['H4 error']],
  [
    'a reference that is not percent-encoded',
    tool('a', {
      inputSchema: {
        type: 'object',
        properties: { p: { $ref: '#/$defs/100%', description: 'x' } },
        $defs: { '100%': { type: 'string' } },
      },
    }),
    ['S6 warning'],
  ],
  [
    'a method as parameter',
    tool('a', withProperty(text('How', { enum: ['GET', 'POST'] }))),
    ['H5 error'],
  ],
  ['a read-only tool that deletes', tool('delete_task'), ['H6 warning']],
  ['no description', tool('a', { description: ' ' }), ['D1 error']],
  [
    'a long description',
    tool('a', { description: 'é'.repeat(1_025) }),
    ['D2 warning', 'D3 warning'],
  ],
  ['a description of 201 characters', tool('a', { description: 'x'.repeat(201) }), ['D3 info']],
  ['an invisible character', tool('a', { title: 'a\u{E0041}' }), ['D4 error']],
  ['a loud word', tool('a', { description: 'Reads critical errors' }), ['D5 warning']],
  ['an order', tool('a', { description: 'Always use this tool' }), ['D6 error']],
  ['a tool of others', tool('a', { description: 'Like mcp__b__c' }), ['D7 warning']],
  ['a free path', tool('a', withProperty(text('Where'), 'path')), ['D8 warning']],
  ['only a route', tool('a', { description: 'GET /tasks/:id (Tasks)' }), ['D10 warning']],
  ['another type', tool('a', { inputSchema: { type: 'string' } }), ['S1 error']],
  [
    'a union at the root',
    tool('a', { inputSchema: { type: 'object', anyOf: [{ type: 'object' }] } }),
    ['S2 error'],
  ],
  ['a key with brackets', tool('a', withProperty(text('Filter'), 'filter[a]')), ['S3 error']],
  ['a schema of 16,385 bytes', tool('a', withProperty(text('x'.repeat(16_385)))), ['S4 error']],
  [
    'a tool of more than 5,000 tokens',
    tool('a', withProperty(text('x'.repeat(20_100)))),
    ['S4 error', 'S5 error'],
  ],
  [
    'a reference to nothing',
    tool('a', withProperty({ $ref: '#/$defs/X', description: 'x' })),
    ['S6 error', 'S6 warning'],
  ],
  [
    'a reference',
    tool('a', {
      inputSchema: {
        type: 'object',
        properties: { p: { $ref: '#/$defs/X', description: 'x' } },
        $defs: { X: { type: 'string' } },
      },
    }),
    ['S6 warning'],
  ],
  ['a list of nothing', tool('a', withProperty({ type: 'array', description: 'x' })), ['S7 error']],
  ['no type', tool('a', withProperty({ description: 'Anything' })), ['S8 error']],
  [
    'an object in an object',
    tool(
      'a',
      withProperty({
        type: 'object',
        description: 'x',
        properties: { b: { type: 'object', description: 'x', properties: { c: ID } } },
      }),
    ),
    ['S9 warning'],
  ],
  [
    'a keyword of draft 4',
    tool('a', withProperty(text('x', { minimum: 1, exclusiveMinimum: true }))),
    ['S10 error', 'S11 warning'],
  ],
  ['a bound without words', tool('a', withProperty(text('x', { maxLength: 9 }))), ['S11 warning']],
  [
    'two types',
    tool('a', withProperty({ type: ['string', 'number', 'null'], description: 'x' })),
    ['S12 warning'],
  ],
  ['no description of a parameter', tool('a', withProperty({ type: 'string' })), ['S13 warning']],
  [
    'an open object',
    tool('a', withProperty({ type: 'object', description: 'x' })),
    ['S13 warning'],
  ],
  ['a secret', tool('a', withProperty(text('x'), 'apiKey')), ['S14 error']],
  ['no output schema', tool('a', { outputSchema: undefined }), ['S15 warning']],
  [
    'large results',
    tool('a', { _meta: { 'anthropic/maxResultSizeChars': 600_000 } }),
    ['R1 warning', 'R2 info'],
  ],
];

describe('checkServer', () => {
  it('finds nothing in a tool without faults', () => {
    const pages = withProperty(text('Token of the next page'), 'pageToken');
    const linked = withProperty(text('See https://a.b/docs'), 'query');
    const said = withProperty(text('From 1 to 5', { minimum: 1, maximum: 5 }));
    const tools = [tool('a'), tool('b', pages), tool('c', linked), tool('d', said)];
    expect(found(server(tools))).toEqual([]);
  });

  it.each(MISTAKES)('finds %s', (_, wrong, findings) => {
    expect(found(server([wrong]))).toEqual(findings);
  });

  it('finds mistakes of several tools and of the server', () => {
    const other = { description: 'Writes' };
    expect(found(server([tool('a_b'), tool('A-b', other)]))).toEqual(['N6 error', 'N2 warning']);
    const twins = ['a', 'b'].map((name) => tool(name, { description: 'Reads the same task' }));
    expect(found(server(twins))).toEqual(['D9 info']);
    const many = Array.from({ length: 41 }, (_, i) => tool(`tool${i}`));
    expect(found(server(many))).toEqual(['C1 warning']);
    expect(found(server([tool('a')], { name: 'my_shop' }))).toEqual(['N7 warning']);
    const instructions = 'x'.repeat(2_049);
    expect(checkServer(server([tool('a')], { instructions }))).toMatchObject([
      { rule: 'D2', places: [{ detail: 'instructions: 2049 bytes' }] },
    ]);
    const older = server([tool('a', { outputSchema: { type: 'array' } })], {
      protocolVersion: '2025-11-25',
    });
    expect(found(older)).toEqual(['S15 error']);
  });

  it('checks the rules of the clients that are asked for', () => {
    const wrong = server([tool('tasks.list', { annotations: { title: 'a' } })]);
    expect(found(wrong, ['claude'])).toEqual(['N1 error', 'H3 error']);
    expect(found(wrong, ['openai'])).toEqual(['H2 error']);
    expect(found(wrong, ['cursor', 'gemini'])).toEqual(['N2 warning']);
    expect(found(wrong, [])).toEqual([]);
  });

  it('names the source and the date of each rule', () => {
    for (const [, wrong] of MISTAKES) {
      for (const { source, date, clients, fix } of checkServer(server([wrong]))) {
        expect(source).not.toBe('');
        expect(date).toMatch(/^202[56](-\d\d){1,2}$/);
        expect(clients).not.toHaveLength(0);
        expect(fix).toMatch(/\.$/);
      }
    }
  });

  it('reads schemas that refer to themselves, and schemas of true', () => {
    const inputSchema = {
      type: 'object',
      properties: { a: { $ref: '#/properties/a', description: 'x' }, b: true },
    };
    expect(found(server([tool('a', { inputSchema })]))).toEqual([
      'S8 error',
      'S6 warning',
      'S13 warning',
    ]);
  });
});

describe('checkServers', () => {
  it('finds each place once', () => {
    const [one, two] = [server([tool('a.b')]), server([tool('a.b'), tool('c.d')])];
    expect(checkServers([one, two], ['copilot'])).toMatchObject([
      { rule: 'N1', places: [{ tool: 'a.b' }, { tool: 'c.d' }] },
    ]);
  });

  it('checks only the rules that are named', () => {
    const given = server([tool('a.b', withProperty(text('x'), 'apiKey'))]);
    const ids = (rules?: string[]) =>
      checkServers([given], undefined, rules).map(({ rule }) => rule);
    expect(ids()).toEqual(expect.arrayContaining(['N1', 'S14']));
    expect(ids(['N1'])).toEqual(['N1']);
  });
});

describe('findingText', () => {
  it('names the rule, the fix, the places and the source', () => {
    const [finding] = checkServer(server([tool('a', withProperty(text('x'), 'apiKey'))]));
    expect(findingText(finding!)).toBe(
      'S14: A parameter accepts a secret. Remove the parameter, and let the user enter the secret on a web page (elicitation by URL). ' +
        'Found in a.apiKey. (openai/plugins chatgpt-app-submission/SKILL.md 3fdeeb4, 2026-06-25)',
    );
    const many = Array.from({ length: 25 }, (_, i) => tool(`a.${i}`));
    expect(findingText(checkServer(server(many))[0]!)).toMatch(/a\.19 and 5 more\. \(/);
  });
});
