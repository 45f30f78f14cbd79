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
 * @param isSeen true where code of the application gets requests without asking for them
 */
export function dresserOf(express: ExpressDress, isSeen: boolean): Dresser {
  const { request: requests, response: responses } = express;
  const isEarly =
    isSeen ||
    differs(requests, IncomingMessage.prototype, READ) ||
    differs(responses, ServerResponse.prototype, WRITTEN);
  return (req, res) => {
    const request = req as IncomingMessage & Record<string, unknown>;
    if (express.enabled('x-powered-by')) res.setHeader('X-Powered-By', 'Express');
    request['res'] = res;
    request['baseUrl'] = '';
    request['originalUrl'] = request.url;
    request['params'] = {};
    if (isEarly) setPrototypes(express, req, res);
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

/** Whether the application gave a prototype of Express one of these members in place of Node's. */
function differs(prototype: object, node: object, names: readonly string[]): boolean {
  return names.some((name) => ownerOf(prototype, name) !== ownerOf(node, name));
}

/** The prototype that has a property. Does not read it, since Node's getters need a request. */
function ownerOf(prototype: object | null, name: string): object | undefined {
  for (let holder = prototype; holder !== null;) {
    if (Object.hasOwn(holder, name)) return holder;
    holder = Object.getPrototypeOf(holder) as object | null;
  }
  return undefined;
}
