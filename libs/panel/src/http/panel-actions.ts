import type { PanelSourceOf, PanelSources, PanelTenantQuestion } from '@fledge/core/packages';
import type { IncomingMessage } from 'node:http';
import { hostOf } from '../access/local-request.js';
import type { CallRing } from '../calls/call-ring.js';
import type { CallerChecks } from '../callers/caller-check.js';
import { headerFault, isToken } from '../callers/header-fault.js';
import type { PanelRequests } from '../panel.api.js';
import { PanelRefusal } from '../panel.errors.js';

type Body = Readonly<Record<string, unknown>>;

/** Handles the POST requests of the panel. */
export class PanelActions {
  /** @param routes paths of the routes that the button "Check" may call */
  constructor(
    private readonly sources: PanelSources,
    private readonly checks: CallerChecks,
    private readonly routes: () => readonly string[],
    private readonly calls: CallRing,
  ) {}

  endSession({ key }: Body): PanelRequests['endSession']['answer'] {
    if (typeof key !== 'string') throw bad('key', 'the key of a session');
    if (this.source('mcp').endSession(key)) return { ended: true };
    throw new PanelRefusal(404, 'PANEL_NO_SESSION', 'This session has already ended.');
  }

  async askTenant(
    body: Body,
    { headers }: IncomingMessage,
  ): Promise<PanelRequests['askTenant']['answer']> {
    const question = {
      ...questionOf(body),
      ...(body['host'] === undefined && { host: hostOf(headers) }),
    };
    return this.source('tenant').ask(question as PanelTenantQuestion);
  }

  parseQuery({ route, query }: Body): PanelRequests['parseQuery']['answer'] {
    if (typeof route !== 'string') throw bad('route', 'the key of a route');
    if (typeof query !== 'string') throw bad('query', 'a query string');
    const answer = this.source('query').parse(route, query.replace(/^\?/, ''));
    if (answer) return answer;
    throw new PanelRefusal(404, 'PANEL_NO_ROUTE', 'There is no route with @Qs() and this key.');
  }

  checkCaller(
    { route, headers = {} }: Body,
    page: IncomingMessage,
  ): Promise<PanelRequests['checkCaller']['answer']> {
    if (typeof route !== 'string') throw bad('route', 'the path of a route');
    if (!this.routes().includes(route)) {
      throw new PanelRefusal(404, 'PANEL_NO_ROUTE', 'There is no GET route to check at this path.');
    }
    const sent = headersOf(headers);
    for (const [name, value] of Object.entries(sent)) {
      const fault = headerFault(name, value);
      if (fault === undefined) continue;
      throw bad('headers', `an object of headers that the panel can send, but ${fault}`);
    }
    return this.checks.run(route, sent, page);
  }

  readResult({ id }: Body): PanelRequests['readResult']['answer'] {
    if (typeof id !== 'number') throw bad('id', 'the number of a call');
    const result = this.calls.resultOf(id);
    if (result !== undefined) return { result };
    throw new PanelRefusal(
      404,
      'PANEL_NO_RESULT',
      'The panel does not have the response of this call. The panel keeps the latest tool responses, up to 4 MB in total.',
    );
  }

  private source<K extends keyof PanelSourceOf>(kind: K): PanelSourceOf[K] {
    const source = this.sources.get(kind);
    if (source) return source;
    throw new PanelRefusal(
      404,
      'PANEL_NOT_INSTALLED',
      `The application does not use @fledge/${kind}. Install the package and import its module.`,
    );
  }
}

function questionOf({ method, path, host, headers }: Body): PanelTenantQuestion {
  if (method !== undefined && !isToken(method)) throw bad('method', 'an HTTP method such as "GET"');
  if (path !== undefined && !(typeof path === 'string' && /^\/[\x21-\x7e]*$/.test(path))) {
    throw bad('path', 'a path with a leading slash, such as "/tasks?page=2"');
  }
  if (host !== undefined && !(typeof host === 'string' && /^[\x21-\x7e]*$/.test(host))) {
    throw bad('host', 'a host name');
  }
  return {
    ...(method !== undefined && { method: method.toUpperCase() }),
    ...(path !== undefined && { path }),
    ...(host !== undefined && { host }),
    ...(headers !== undefined && { headers: headersOf(headers) }),
  };
}

/** @returns the headers. Names are in lower case, as in Node's requests */
function headersOf(headers: unknown): Readonly<Record<string, string>> {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    throw bad('headers', 'an object of header names and values');
  }
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]: [string, unknown]) => {
      if (isToken(name) && typeof value === 'string' && !/[\r\n\0]/.test(value)) {
        return [name.toLowerCase(), value];
      }
      throw bad(
        'headers',
        `an object of header names and string values, but the name or the value of ${JSON.stringify(name.slice(0, 100))} is not valid`,
      );
    }),
  );
}

function bad(member: string, expected: string): PanelRefusal {
  return new PanelRefusal(400, 'PANEL_BAD_BODY', `"${member}" must be ${expected}.`);
}
