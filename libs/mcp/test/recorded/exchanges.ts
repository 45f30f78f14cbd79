// Unusual HTTP requests: each message of messages.ts, headers, and messages that depend on earlier ones.
import {
  call,
  type Members,
  messagesIn,
  request,
  type Revision,
  rows,
  textOf,
} from './messages.js';

/** `undefined` leaves a header out. A list sends it several times. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * One HTTP request. In headers and body, `<session>`, `<taskId>`, `<requestState>`, `<event>` and `<question>` stand
 * for the last value that a response contained.
 */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body?: string | undefined;
  /** Number of events after which the client closes the connection. @default it reads until the end */
  readonly events?: number;
  /** Number of events after which the next step starts, while the response of this one continues. */
  readonly background?: number;
  /** Repeats the request until the response contains this text. Only the last response is recorded. */
  readonly until?: string;
}

export interface HttpCase {
  readonly name: string;
  /** Opens a session before the steps. */
  readonly open?: Step;
  readonly steps: readonly Step[];
}

const [OLD, NEW] = ['2025-11-25', '2026-07-28'] as const;
/** A client that fills in forms and polls tasks. */
const ABLE = { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } };
/** The endpoint that has room for one session, which a case must end. */
export const ONE_SESSION = '/mcp/one';
const NO_SESSION = { 'mcp-session-id': undefined, 'mcp-protocol-version': undefined };

/** A POST with the headers that belong to its message. */
function post(revision: Revision, message: Members | string, options: Partial<Step> = {}): Step {
  // Texts are made from one of two messages.
  const echoes = typeof message === 'string' && message.includes('"name":"echo"');
  const origin = echoes ? call(revision, 'echo') : request(revision, 'prompts/list');
  const { method, params } = typeof message === 'string' ? origin : message;
  const { name, uri, taskId } = (params ?? {}) as Members;
  const named = [name, uri, taskId].find((value) => typeof value === 'string');
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    ...(revision === OLD && { 'mcp-session-id': '<session>' }),
    ...(revision === NEW && typeof method === 'string' && { 'mcp-method': method }),
    ...(revision === NEW && typeof named === 'string' && { 'mcp-name': named }),
    ...options.headers,
  };
  const body = typeof message === 'string' ? message : textOf(message);
  return { method: 'POST', path: '/mcp', body, ...options, headers };
}

export function initializing(capabilities: object): Members {
  const clientInfo = { name: 'recorded', version: '1.0.0' };
  return request(OLD, 'initialize', { protocolVersion: OLD, capabilities, clientInfo });
}

function opening(capabilities: object, { path = '/mcp', headers = {} }: Partial<Step> = {}): Step {
  return post(OLD, initializing(capabilities), { path, headers: { ...headers, ...NO_SESSION } });
}

/** A case of either version. With 2025-11-25 it has a session. */
function caseOf(
  revision: Revision,
  name: string,
  steps: readonly Step[],
  able: object = ABLE,
): HttpCase {
  const open = revision === OLD && { open: opening(able, { path: steps[0]?.path ?? '/mcp' }) };
  return { name: `${revision} ${name}`, ...open, steps };
}

function messageCases(revision: Revision): readonly HttpCase[] {
  return messagesIn(revision).map(({ name, text, message }) => {
    const listens = message?.['method'] === 'subscriptions/listen' && { events: 1 };
    if (message?.['method'] === 'initialize' && revision === OLD) {
      return { name, steps: [post(revision, message, { headers: NO_SESSION })] };
    }
    // The client cannot answer questions, so no call waits.
    return { ...caseOf(revision, '', [post(revision, message ?? text, { ...listens })], {}), name };
  });
}

/** Values of headers. `+` sends a header several times, and long is a text of 5,000 characters. */
const HEADERS = `
mcp-protocol-version: missing || empty || 2025-11-25 || 2025-06-18 || 2024-11-05 || 2026-07-28 || 2030-01-01 || 0 || odd || 2026-07-28 + 2026-07-28 || 2025-11-25 + 0
mcp-session-id: missing || empty || odd || __proto__ || long || <session> + odd || <session>
mcp-method: missing || empty || odd || tools/list || TOOLS/CALL || tools/call + tools/call
mcp-name: missing || empty || odd || echo || GET || =?base64?Z2V0?= || =?base64?Z2V?= || =?base64?ZWNobw==?=
accept: missing || empty || */* || text/* || application/json || text/event-stream || text/html || odd || */*;q=0 || application/json + text/event-stream
content-type: missing || empty || text/plain || application/jsonp || APPLICATION/JSON || application/json; || ; || application/json; charset=utf-8 || application/json; charset=odd || application/merge-patch+json
content-encoding: empty || identity || gzip || odd
last-event-id: empty || odd
origin: empty || null || http://evil.example || http://localhost:1 || odd
host: empty || evil.example || localhost
authorization: odd
traceparent: odd
`;

/** Headers that repeat the arguments of a call: region, then limit. */
const ARGUMENT_HEADERS = `
missing missing || eu 7 || eu missing || missing 7 || us 7 || EU 7 || =?base64?ZXU=?= 7 || =?base64?ZXU?= 7 || =?base64?!?= 7
eu 7.0 || eu 07 || eu +7 || eu 7e0 || eu odd || eu 8
`;
const PATHS = '/mcp/ /mcp?odd=1 /MCP //mcp /mcp/odd /mcp/one /%6dcp /mcp%00'.split(' ');
const TOKENS = [
  'missing',
  'Basic odd',
  'Bearer',
  'Bearer ',
  'Bearer bad',
  'Bearer crash',
  'bearer ok',
  'Bearer admin',
];
const SEARCHES = `
call_tool {"name":"get","arguments":{"id":"a"}} {"name":"get"} {"name":"nope"} {"name":"call_tool","arguments":{"name":"get"}} {"name":7} {"name":"get","arguments":"odd"} {}
read_tool {"name":"get","arguments":{"id":"a"}} {"name":"settle"} {"name":"nope"} {"name":"read_tool"} {}
search_tools {"query":""} {"query":7} {} {"query":"odd","odd":1} {"query":"ask"}
`;

function headerCases(revision: Revision): readonly HttpCase[] {
  const get = call(revision, 'get', { id: 'a' });
  const value = (text: string) => {
    const texts = text
      .split(' + ')
      .map((each) => each.replace('long', 'a'.repeat(5_000)).replace('empty', ''));
    return text === 'missing' ? undefined : texts.length > 1 ? texts : texts[0];
  };
  const one = (name: string, message: Members | string, options: Partial<Step>) =>
    caseOf(revision, name, [post(revision, message, options)]);
  const find = call(revision, 'find', { region: 'eu', limit: 7 });
  const echo = textOf(call(revision, 'echo', { a: 'HERE' }));
  const sized = (bytes: number) => echo.replace('HERE', 'a'.repeat(bytes - echo.length + 4));
  return [
    ...rows(HEADERS, /: (.*)/).flatMap(([header = '', values = '']) =>
      values
        .split(' || ')
        .map((text) => one(`${header}: ${text}`, get, { headers: { [header]: value(text) } })),
    ),
    ...rows(ARGUMENT_HEADERS, ' || ').flatMap((row) =>
      row.map((text) => {
        const [region, limit] = text.split(' ').map(value);
        const headers = { 'mcp-param-region': region, 'mcp-param-limit': limit };
        return one(`argument headers ${text}`, find, { headers });
      }),
    ),
    ...['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'].flatMap((method) =>
      ['application/json', 'text/event-stream'].map((accept) =>
        one(`${method} with ${accept}`, get, {
          method,
          body: undefined,
          headers: { accept },
          events: 0,
        }),
      ),
    ),
    ...[0, 9_999, 10_000, 10_001, 100_000].map((bytes) =>
      one(`body of ${bytes} bytes`, bytes === 0 ? '' : sized(bytes), {}),
    ),
    ...PATHS.map((path) => {
      const { name, open } = caseOf(revision, `path ${path}`, []);
      return { name, ...(open && { open }), steps: [post(revision, get, { path })] };
    }),
    ...TOKENS.map((token) => {
      const options = { path: '/mcp/guarded', headers: { authorization: value(token) } };
      const calls = ['get', 'secret'].map((name) =>
        post(revision, call(revision, name, { id: 'a' }), options),
      );
      const steps = revision === OLD ? [opening({}, options), ...calls] : calls;
      return { name: `${revision} authorization: ${token}`, steps };
    }),
    ...rows(SEARCHES, ' ').flatMap(([tool = '', ...all]) =>
      all.map((args) => {
        const message = call(revision, tool, JSON.parse(args) as object);
        return one(`${tool} of ${args}`, message, { path: '/mcp/search' });
      }),
    ),
  ];
}

/** Results for the question of the tool `ask`, by number. */
const FORMS = `
{"action":"accept","content":{"name":"Ada"}}
{"action":"accept","content":{"name":7}}
{"action":"accept","content":{}}
{"action":"accept"}
{"action":"decline"}
{"action":"odd"}
{}
`;

/** Name of the step, id (`-`: none), method, parameters, and members of the step. */
const SESSION_STEPS = `
get7 7 tools/call {"name":"get","arguments":{"id":"a"}}
hold7 7 tools/call {"name":"hold","_meta":{"progressToken":"p"}} {"background":1}
hold8 8 tools/call {"name":"hold","_meta":{"progressToken":"p"}} {"background":1}
holdText "7" tools/call {"name":"hold","_meta":{"progressToken":"p"}} {"background":1}
release 100 tools/call {"name":"release"}
touch 9 tools/call {"name":"touch"}
logs 9 tools/call {"name":"logs"}
ask 7 tools/call {"name":"ask"} {"background":1}
askInVain 7 tools/call {"name":"ask"}
sample 7 tools/call {"name":"sample"}
roots 7 tools/call {"name":"roots"}
promptAsk 7 prompts/get {"name":"ask"}
ping 1 ping {}
subscribe 1 resources/subscribe {"uri":"things://a"}
setLevel 1 logging/setLevel {"level":"error"}
initialized - notifications/initialized {}
cancel7 - notifications/cancelled {"requestId":7}
cancelText - notifications/cancelled {"requestId":"7"}
cancelNone - notifications/cancelled {}
`;
const STATELESS_STEPS = `
ask 1 tools/call {"name":"ask"}
promptAsk 1 prompts/get {"name":"ask"}
formOdd 1 tools/call {"name":"ask","inputResponses":{"odd":{"action":"decline"}},"requestState":"<requestState>"}
formNone 1 tools/call {"name":"ask","inputResponses":{},"requestState":"<requestState>"}
formNull 1 tools/call {"name":"ask","inputResponses":{"name":{"action":"decline"}},"requestState":null}
formNoState 1 tools/call {"name":"ask","inputResponses":{"name":{"action":"decline"}}}
formChanged 1 tools/call {"name":"ask","inputResponses":{"name":{"action":"decline"}},"requestState":"<requestState>x"}
formOther 1 tools/call {"name":"sample","inputResponses":{"name":{"action":"decline"}},"requestState":"<requestState>"}
job 1 tools/call {"name":"job"}
jobAs 1 tools/call {"name":"job"} {"headers":{"authorization":"ada"}}
question 1 tools/call {"name":"question"}
get 1 tasks/get {"taskId":"<taskId>"}
getInVain 1 tasks/get {"taskId":"<taskId>","_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}
asked 1 tasks/get {"taskId":"<taskId>"} {"until":"input_required"}
completed 1 tasks/get {"taskId":"<taskId>"} {"until":"completed"}
cancel 1 tasks/cancel {"taskId":"<taskId>"}
cancelAs 1 tasks/cancel {"taskId":"<taskId>"} {"headers":{"authorization":"ada"}}
cancelInVain 1 tasks/cancel {"taskId":"<taskId>","_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}
update 1 tasks/update {"taskId":"<taskId>","inputResponses":{"name":{"action":"decline"}}}
updateOdd 1 tasks/update {"taskId":"<taskId>","inputResponses":{"odd":{}}}
hold 1 tools/call {"name":"hold","_meta":{"progressToken":"p"}} {"background":1}
release 1 tools/call {"name":"release"}
touch 1 tools/call {"name":"touch"}
cancelled - notifications/cancelled {"requestId":1}
logsError 1 tools/call {"name":"logs","_meta":{"io.modelcontextprotocol/logLevel":"error"}}
logsOdd 1 tools/call {"name":"logs","_meta":{"io.modelcontextprotocol/logLevel":"odd"}}
listen 1 subscriptions/listen {"notifications":{"resourceSubscriptions":["things://a"]}} {"background":1,"events":2}
`;

/** Names of steps, in order, for each case. After `@` stands the path that a step is sent to. */
const IN_SESSIONS = `
an id twice at once: hold7 get7 release
an id as number and text at once: hold7 holdText release
an id twice in turn: get7 get7
a cancelled call, whose id is used again: hold7 cancel7 hold7 release
cancelled with an id of another type: hold7 cancelText release
cancelled without an id: hold7 cancelNone release
cancelled twice: hold7 cancel7 cancel7
cancelled after the response: get7 cancel7
two calls with one progress token: hold7 hold8 release
DELETE during a call: hold7 DELETE
messages after DELETE: DELETE get7 GET DELETE cancel7 initialized
initialized twice: initialized initialized get7
initialize in a session: initialize get7
session at another endpoint: get7 get7@/mcp/search DELETE@/mcp/search get7
GET twice at once: GET GETHead
GET that ends with DELETE: GET DELETE
a change of a resource: subscribe GETEvent touch
log messages at a level: setLevel logs
a response of the wrong id to a question: ask form99 form0
a response of the wrong type of id to a question: ask formText form0
a response twice to a question: ask form0 form0
a question whose call is cancelled: ask cancel7 form0
a question whose session ends: ask DELETE form0
a response that accepts with a wrong type: ask form1
a response that accepts with nothing: ask form2
a response that accepts without content: ask form3
a response that declines: ask form4
a response with an odd action: ask form5
a response that is empty: ask form6
a response with an error: ask formError
events that can be resumed: logs@/mcp/resume resume@/mcp/resume
an unknown event: logs@/mcp/resume resumeOdd@/mcp/resume resumeEmpty@/mcp/resume resumeNear@/mcp/resume
an event of a session that ended: logs@/mcp/resume DELETE@/mcp/resume resume@/mcp/resume
initialize where no more sessions fit: get7@/mcp/one opening@/mcp/one get7@/mcp/one
`;
/** For a client that cannot answer questions. */
const UNABLE = `
questions that the client cannot answer: askInVain sample roots promptAsk
`;
const BEFORE_SESSIONS = 'get7 GETHead DELETE ping cancel7 form99';
const STATELESS = `
responses to another question: ask formOdd
no responses to a question: ask formNone
responses without a state: ask formNull formNoState
responses with a changed state: ask formChanged
responses with the state of another tool: ask formOther
responses twice: ask form0 form0
responses that accept with a wrong type: ask form1
responses that accept with nothing: ask form2
responses that accept without content: ask form3
responses that decline: ask form4
responses with an odd action: ask form5
responses that are empty: ask form6
a question of a prompt: promptAsk
a task that is cancelled twice: job get cancel cancel get
a task that is updated without a question: job update get cancel
a task that asks: question asked updateOdd update completed update cancel
a task of another caller: jobAs get cancel update cancelAs
a task of a client that knows no tasks: job getInVain cancelInVain cancel
two calls with one id at once: hold hold release
a cancelled call: hold cancelled release
log messages at a level: logsError logsOdd
a change of a resource: listen touch
a message of 2025-11-25 without a session: oldCall opening
`;

function stepsOf(revision: Revision, table: string): Readonly<Record<string, Step>> {
  const steps = rows(table, ' ').map(
    ([name, id = '-', method = '', params = '', options = '{}']) => {
      const message = request(revision, method, JSON.parse(params) as Members, ABLE);
      const sent = { ...message, id: id === '-' ? undefined : JSON.parse(id) };
      return [name, post(revision, sent, JSON.parse(options) as Partial<Step>)] as const;
    },
  );
  const forms = rows(FORMS, '\n').map(([form = ''], i) => {
    const result: unknown = JSON.parse(form);
    const params = {
      name: 'ask',
      inputResponses: { name: result },
      requestState: '<requestState>',
    };
    const message =
      revision === OLD
        ? { jsonrpc: '2.0', id: '@<question>@', result }
        : request(NEW, 'tools/call', params, ABLE);
    return [`form${i}`, post(revision, message)] as const;
  });
  return Object.fromEntries([...steps, ...forms]);
}

/** Steps of 2025-11-25 that are no messages in a session, or no requests. */
function otherSteps(): Readonly<Record<string, Step>> {
  const bare = (method: string, more: Headers = {}): Step => {
    const headers = { accept: 'text/event-stream', 'mcp-session-id': '<session>', ...more };
    return { method, path: '/mcp', headers };
  };
  const resume = (id: string) => ({ ...bare('GET', { 'last-event-id': id }), events: 0 });
  const answer = (id: string, members: Members = { result: { action: 'decline' } }) =>
    post(OLD, { jsonrpc: '2.0', id, ...members });
  return {
    DELETE: bare('DELETE'),
    GET: { ...bare('GET'), background: 0 },
    GETHead: { ...bare('GET'), events: 0 },
    GETEvent: { ...bare('GET'), background: 0, events: 1 },
    resume: resume('<event>'),
    resumeOdd: resume('odd'),
    resumeEmpty: resume(''),
    resumeNear: resume('<event>x'),
    form99: answer('@99@'),
    formText: answer('<question>'),
    formError: answer('@<question>@', { error: { code: -32000, message: 'odd' } }),
    initialize: post(OLD, initializing(ABLE)),
    opening: opening(ABLE),
    oldCall: post(NEW, call(OLD, 'get', { id: 'a' }), { headers: NO_SESSION }),
  };
}

function sequencesOf(
  revision: Revision,
  table: string,
  all: Readonly<Record<string, Step>>,
  able?: object,
): readonly HttpCase[] {
  return rows(table, ': ').map(([name = '', words = '']) => {
    const steps = words.split(' ').map((word) => {
      const [key = '', path] = word.split('@');
      const step = all[key];
      if (!step) throw new Error(`No step ${key}`);
      return path === undefined ? step : { ...step, path };
    });
    return caseOf(revision, name, steps, able);
  });
}

export function httpCases(): readonly HttpCase[] {
  const old = { ...stepsOf(OLD, SESSION_STEPS), ...otherSteps() };
  const outside = BEFORE_SESSIONS.split(' ').map((key) => {
    const step = old[key] as Step;
    const headers = { ...step.headers, ...NO_SESSION };
    const steps = ['/mcp', ONE_SESSION].map((path) => ({ ...step, path, headers }));
    return { name: `${OLD} ${key} before initialize`, steps };
  });
  return [
    ...[OLD, NEW].flatMap((revision) => [...messageCases(revision), ...headerCases(revision)]),
    ...sequencesOf(OLD, IN_SESSIONS, old),
    ...sequencesOf(OLD, UNABLE, old, {}),
    ...outside,
    ...sequencesOf(NEW, STATELESS, { ...old, ...stepsOf(NEW, STATELESS_STEPS) }),
  ];
}
