import { parseRequestParams, type Request, type RequestParams, type Response } from 'graphql-http';
import type { IncomingMessage } from 'node:http';
import { DocumentRefusal } from '../documents/document-refusal.js';
import type { DocumentRequest, ServedSchema } from '../operation/served-schema.js';
import { errorType } from './error-type.js';

/** Stands for the text of a document while graphql-http checks the other members. */
const PLACEHOLDER = '-';

type Answered<T> = T | Promise<T>;

/**
 * Returns the members of a request with the document that it names, or the answer that refuses it. Undefined
 * if graphql-http reads the request without more.
 */
export function paramsOf<Context>(
  req: Request<IncomingMessage, Context>,
  served: Pick<ServedSchema, 'documents' | 'protection'>,
): Answered<RequestParams | Response | void> {
  const request = requestOf(req);
  if (request === undefined) return undefined;
  try {
    const text = served.documents.textOf(request);
    if (text === request.query) return undefined;
    return withText(req, text, served);
  } catch (error) {
    return answerOf(req, error, served);
  }
}

async function withText<Context>(
  req: Request<IncomingMessage, Context>,
  found: Answered<string | undefined>,
  served: Pick<ServedSchema, 'protection'>,
): Promise<RequestParams | Response | void> {
  try {
    const query = await found;
    if (query === undefined) return undefined;
    const params = await parseRequestParams(withPlaceholder(req));
    return 'query' in params ? { ...params, query } : params;
  } catch (error) {
    return answerOf(req, error, served);
  }
}

/** @throws the error, unless it is about the document */
function answerOf<Context>(
  { headers }: Request<IncomingMessage, Context>,
  error: unknown,
  { protection }: Pick<ServedSchema, 'protection'>,
): Response {
  if (!(error instanceof DocumentRefusal)) throw error;
  const { accept } = headers as IncomingMessage['headers'];
  return [
    JSON.stringify({ errors: [protection.format(error)] }),
    {
      status: error.status,
      statusText: error.status === 200 ? 'OK' : 'Bad Request',
      // A cache must ask again: the document may be known then.
      headers: {
        'content-type': `${errorType(accept)}; charset=utf-8`,
        'cache-control': 'no-store',
      },
    },
  ];
}

/** Returns undefined for a request without members. graphql-http refuses it. */
function requestOf<Context>(req: Request<IncomingMessage, Context>): DocumentRequest | undefined {
  if (req.method === 'POST') return bodyOf(req);
  if (req.method !== 'GET') return undefined;
  const search = searchOf(req.url);
  const member = (name: string) => search.get(name) ?? undefined;
  return {
    query: member('query'),
    documentId: member('documentId'),
    extensions: parsed(member('extensions')),
  };
}

function withPlaceholder<Context>(
  req: Request<IncomingMessage, Context>,
): Request<IncomingMessage, Context> {
  if (req.method === 'POST') {
    return { ...req, body: { ...bodyOf(req), query: PLACEHOLDER } };
  }
  const search = searchOf(req.url);
  search.set('query', PLACEHOLDER);
  return { ...req, url: `/?${search}` };
}

/** graphql-http also takes JSON as text, from applications that parse bodies as text. */
function bodyOf<Context>({ body }: Request<IncomingMessage, Context>): DocumentRequest | undefined {
  const value: unknown = typeof body === 'string' ? parsed(body) : body;
  return typeof value === 'object' && value !== null ? value : undefined;
}

function searchOf(url: string): URLSearchParams {
  return new URLSearchParams(url.split('?')[1]);
}

/** Text that is no JSON stays undefined. graphql-http refuses it. */
function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
