import { IncomingMessage, ServerResponse } from 'node:http';
import { completeLater } from './completion.js';

/** The parts of an application of Express that its requests get. */
export interface ExpressDress {
  /** The prototypes of its requests and responses. */
  readonly request: object;
  readonly response: object;
  enabled(setting: string): boolean;
}

/** Gives a request and its response what Express gives them before its first layer. */
type Dresser = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Returns a function that does to requests what Express does. Their prototypes follow when the application asks for
 * one of them: V8 makes a hidden class for each later assignment to an object whose prototype was changed,
 * which takes several times as long as answering a small operation.
 * @param isEarly true where code of the application gets requests without asking for them
 */
export function dresserOf(express: ExpressDress, isEarly: boolean): Dresser {
  const isChanged = isEarly || changesRequests(express) || changesResponses(express);
  return (req, res) => {
    const request = req as IncomingMessage & Record<string, unknown>;
    if (express.enabled('x-powered-by')) res.setHeader('X-Powered-By', 'Express');
    request['res'] = res;
    request['baseUrl'] = '';
    request['originalUrl'] = request.url;
    request['params'] = {};
    if (isChanged) setPrototypes(express, req, res);
    else completeLater(request, () => setPrototypes(express, req, res));
  };
}

function setPrototypes(
  { request, response }: ExpressDress,
  req: IncomingMessage,
  res: ServerResponse & { locals?: object },
): void {
  Object.setPrototypeOf(req, request);
  Object.setPrototypeOf(res, response);
  res.locals ??= Object.create(null) as object;
}

/** What this package and those on it use of a request before the application asks for it. */
const READ = ['headers', 'rawHeaders', 'method', 'url', 'body', 'user', 'raw', 'socket', 'on'];

/** What they use of its response. */
const WRITTEN = ['statusCode', 'getHeader', 'setHeader', 'writeHead', 'write', 'end', 'once'];

/** Whether the application replaced one of these on the prototype. */
function changesRequests({ request }: ExpressDress): boolean {
  return READ.some((name) => ownerOf(request, name) !== ownerOf(IncomingMessage.prototype, name));
}

function changesResponses({ response }: ExpressDress): boolean {
  return WRITTEN.some(
    (name) => ownerOf(response, name) !== ownerOf(ServerResponse.prototype, name),
  );
}

/** The prototype that has a property. Does not read it, since Node's getters need a request. */
function ownerOf(prototype: object | null, name: string): object | undefined {
  for (let holder = prototype; holder !== null;) {
    if (Object.hasOwn(holder, name)) return holder;
    holder = Object.getPrototypeOf(holder) as object | null;
  }
  return undefined;
}
