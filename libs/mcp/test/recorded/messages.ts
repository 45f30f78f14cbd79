// Unusual messages of both protocol versions, made from tables, for any transport.

export type Revision = '2025-11-25' | '2026-07-28';
export type Members = Readonly<Record<string, unknown>>;

export interface MessageCase {
  readonly name: string;
  readonly revision: Revision;
  readonly text: string;
  /** The message, if the text is one. */
  readonly message?: Members;
}

/** Lines of a table, each with what stands between its separators. */
export function rows(table: string, separator: string | RegExp): (readonly string[])[] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(separator));
}

/** The `_meta` of a request of 2026-07-28. */
function envelope(capabilities: object = {}): Members {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'recorded', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
}

/** @param capabilities of the client, in the envelope of 2026-07-28 */
export function request(
  revision: Revision,
  method: string,
  params: Members = {},
  capabilities: object = {},
): Members {
  const meta = { ...envelope(capabilities), ...(params['_meta'] as Members | undefined) };
  const sent = revision === '2026-07-28' ? { ...params, _meta: meta } : params;
  return { jsonrpc: '2.0', id: 1, method, params: sent };
}

export function call(revision: Revision, name: string, args: object = {}, more: Members = {}) {
  return request(revision, 'tools/call', { name, arguments: args, ...more });
}

/** JSON. A string in `@` is written without quotes: no JavaScript value is `1e400` or has a key twice. */
export function textOf(value: unknown): string {
  return JSON.stringify(value).replace(/"@([^"@]*)@"/g, '$1');
}

/** Values for each field, as JSON. A field is left out for the first one. */
const FEW = ['missing', 'null', '0', '"odd"', '{"odd":{}}'];
const MANY = ['""', '["odd"]', '"__proto__"', 'true', '-1', '1.5', '[]', '{}', 'long'].concat(FEW, [
  '"@1e400@"',
  '"@9007199254740993@"',
]);

function valueOf(json: string): unknown {
  if (json === 'missing') return undefined;
  return json === 'long' ? 'a'.repeat(1_000) : JSON.parse(json);
}

/** A copy with another value at a path of keys. */
function changed(value: unknown, [key = '', ...rest]: readonly string[], to: unknown): Members {
  const object = (value ?? {}) as Members;
  return { ...object, [key]: rest.length > 0 ? changed(object[key], rest, to) : to };
}

/** Method, parameters, and fields to change. The number in front is the only version that has the method. */
const FIELDS = `
2025 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}} protocolVersion capabilities clientInfo clientInfo.name clientInfo.version
2025 resources/subscribe {"uri":"things://a"} uri
2025 resources/unsubscribe {"uri":"things://a"} uri
2025 logging/setLevel {"level":"error"} level
2026 prompts/list {} _meta.io.modelcontextprotocol/protocolVersion _meta.io.modelcontextprotocol/clientInfo _meta.io.modelcontextprotocol/clientCapabilities _meta.io.modelcontextprotocol/logLevel _meta.example.com/odd
2026 subscriptions/listen {"notifications":{}} notifications notifications.toolsListChanged notifications.resourceSubscriptions notifications.taskIds
2026 tasks/get {"taskId":"none"} taskId
2026 tasks/cancel {"taskId":"none"} taskId
2026 tasks/update {"taskId":"none","inputResponses":{}} taskId inputResponses
both tools/list {} cursor
both resources/list {} cursor
both resources/templates/list {} cursor
both prompts/list {} cursor
both tools/call {"name":"get","arguments":{"id":"a"}} name arguments arguments.id task inputResponses requestState _meta.progressToken
both resources/read {"uri":"things://a"} uri
both prompts/get {"name":"get","arguments":{"id":"a"}} name arguments arguments.id
both completion/complete {"ref":{"type":"ref/prompt","name":"get"},"argument":{"name":"id","value":"a"}} ref ref.type ref.name argument argument.name argument.value context context.arguments
`;

/** Method, parameters, and what stands in turn for `%` in them. */
const UNKNOWN = `
tools/call {"name":"%","arguments":{}} nope constructor GET secret search_tools call_tool ask sample roots question never logs
tools/call {"name":"fail","arguments":{"status":%}} 400 401 403 404 409 418 429 500 503
tools/call {"name":"get","arguments":{"id":"%"}} ../a a/b %zz ? \\u0000 \\ud800
tools/call {"name":"get","arguments":%} {"id":"a","odd":1} {"id":["a"]} {"ID":"a"}
tools/call {"name":"text","arguments":{"text":"%"}} {} [] 7 odd {\\"__proto__\\":{}}
resources/read {"uri":"%"} things://list things:// things://a/b things://%zz nope://a odd http://a
prompts/get {"name":"%"} nope constructor ask get
prompts/get {"name":"get","arguments":%} {"id":"a","odd":"a"} {"id":7} {}
completion/complete {"ref":%,"argument":{"name":"id","value":"a"}} {"type":"ref/prompt","name":"nope"} {"type":"ref/resource","uri":"nope://{id}"} {"type":"ref/resource","uri":"things://{id}"} {"type":"ref/tool","name":"get"}
completion/complete {"ref":{"type":"ref/prompt","name":"get"},"argument":{"name":"%","value":"a"}} odd __proto__
`;

/** Each is sent as a request and as a notification, without parameters. A comma stands for a space. */
const METHODS = `
ping initialize logging/setLevel resources/subscribe resources/unsubscribe resources/read server/discover
tasks/list tasks/result tasks/get tasks/cancel tasks/update tools/list tools/call prompts/get completion/complete
sampling/createMessage elicitation/create roots/list rpc.discover no/such , TOOLS/LIST tools/list, tools __proto__ constructor
notifications/initialized notifications/cancelled notifications/progress notifications/roots/list_changed
notifications/message notifications/odd notifications/tools/list_changed notifications/resources/updated
`;

const RESPONSE_IDS = ['', '"id":99', '"id":null'];
const RESPONSES = [
  ...[
    '',
    '"result":{}',
    '"result":null',
    '"result":"odd"',
    '"params":{}',
    '"error":{}',
    '"error":null',
  ],
  ...['"error":{"code":-32000,"message":"odd"}', '"error":{"code":"odd","message":7}'],
  '"result":{},"error":{"code":-32000,"message":"odd"}',
];

/** Texts in which `LIST` stands for a request, without its last brace for `OPEN`, and `ECHO(x)` for a call with `x`. */
const TEXTS = `
{ || [ || {} || null || true || 7 || "text" || {}{} || NaN || {'a':1} || {"a":1,} || \0 || [] || [null] || [1] || [{}] || [[]]
[LIST] || [LIST,LIST] || [{"jsonrpc":"2.0","method":"notifications/initialized"}] || [{"jsonrpc":"2.0","id":1,"result":{}}]
LISTx || LISTLIST || \ufeffLIST || /* odd */LIST || \t LIST \t || OPEN || OPEN,} || LIST}
ECHO("\\ud800") || ECHO("\\u0000") || ECHO("\u0001") || ECHO(01) || ECHO(1e400) || ECHO({"a":1,"a":2}) || ECHO({"__proto__":{"a":1}})
ECHO(DEEP100) || ECHO(DEEP240) || ECHO(DEEP300) || DEEP2000
OPEN,"method":"tools/list"} || OPEN,"id":2} || OPEN,"odd":1} || OPEN,"__proto__":{"odd":1}} || OPEN,"result":{}} || OPEN,"error":{}}
`;

function textsOf(revision: Revision): readonly (readonly [name: string, text: string])[] {
  const list = textOf(request(revision, 'prompts/list'));
  const echo = textOf(call(revision, 'echo', { a: 'HERE' }));
  return rows(TEXTS, ' || ').flatMap((row) =>
    row.map((name) => {
      const text = name
        .replace(/DEEP(\d+)/, (_, depth) => '['.repeat(Number(depth)) + ']'.repeat(Number(depth)))
        .replace(/ECHO\((.*)\)/, (_, json: string) => echo.replace('"HERE"', () => json))
        .replaceAll('LIST', list)
        .replace('OPEN', list.slice(0, -1));
      return [`text ${JSON.stringify(name)}`, text] as const;
    }),
  );
}

function messagesOf(revision: Revision): (readonly [name: string, message: Members])[] {
  const year = revision.slice(0, 4);
  const odd = (base: Members, path: readonly string[], values: readonly string[]) =>
    values.map((value) => {
      const name = `${String(base['method'])} with ${path.join('.')}: ${value}`;
      return [name, changed(base, path, valueOf(value))] as const;
    });
  const fields = rows(FIELDS, ' ').filter(([only]) => only === 'both' || only === year);
  return [
    ...['jsonrpc', 'id', 'method', 'params', 'params._meta'].flatMap((field) => [
      ...odd(call(revision, 'get', { id: 'a' }), field.split('.'), MANY),
      ...odd(request(revision, 'resources/list'), field.split('.'), FEW),
    ]),
    ...fields.flatMap(([, method = '', params = '', ...paths]) =>
      paths.flatMap((path) => {
        // Keys of `_meta` contain dots.
        const keys = /^_meta\.(.*)/.exec(path)?.slice(1) ?? path.split('.');
        const inMeta = path.startsWith('_meta.') ? ['_meta'] : [];
        const base = request(revision, method, JSON.parse(params) as Members);
        return odd(base, ['params', ...inMeta, ...keys], FEW);
      }),
    ),
    ...METHODS.trim()
      .split(/\s+/)
      .flatMap((word) => {
        const method = word.replace(',', ' ');
        const notification = changed(request(revision, method), ['id'], undefined);
        const name = JSON.stringify(method);
        return [
          [`request ${name}`, request(revision, method)] as const,
          [`notification ${name}`, notification] as const,
        ];
      }),
    ...RESPONSE_IDS.flatMap((id) =>
      RESPONSES.map((response) => {
        const members = [id, response].filter((each) => each !== '').join();
        return [
          `response ${members}`,
          { jsonrpc: '2.0', ...(JSON.parse(`{${members}}`) as object) },
        ] as const;
      }),
    ),
    ...rows(UNKNOWN, ' ').flatMap(([method = '', params = '', ...values]) =>
      values.map((value) => {
        const json = params.replace('%', () => value);
        return [
          `${method} of ${json}`,
          request(revision, method, JSON.parse(json) as Members),
        ] as const;
      }),
    ),
  ];
}

export function messagesIn(revision: Revision): readonly MessageCase[] {
  const texts = textsOf(revision).map(([name, text]) => ({ name, text }));
  const messages = messagesOf(revision).map(([name, message]) => ({
    name,
    text: textOf(message),
    message,
  }));
  return [...texts, ...messages].map((each) => ({
    ...each,
    name: `${revision} ${each.name}`,
    revision,
  }));
}
