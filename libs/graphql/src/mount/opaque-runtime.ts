import { getOperationAST } from 'graphql';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServedSchema } from '../operation/served-schema.js';
import { BodyReadError } from '../graphql.errors.js';
import type { BodyRequest } from '../http/read-request.js';
import { splitUrl } from '../split-url.js';

/**
 * Counts operations for a runtime that does not count them itself. If the response status is below
 * 400, the operations in the request body are counted. Other responses count as one error. Errors
 * inside a response with status 200 are not counted.
 */
export function countWhenAnswered(
  req: BodyRequest,
  res: ServerResponse,
  { schema, protection, counts }: ServedSchema,
): void {
  res.once('finish', () => {
    if (res.statusCode >= 400) return counts.failed();
    for (const { query, operationName } of requestsIn(req)) {
      if (typeof query === 'string') count(query, operationName);
    }
  });

  function count(query: string, operationName: unknown): void {
    try {
      const document = protection.parse(query);
      // Validation adds the document to the cache for the next request.
      protection.validate(schema(), document);
      const name = typeof operationName === 'string' ? operationName : undefined;
      const operation = getOperationAST(document, name);
      if (operation) counts.started(operation.operation);
    } catch {
      // The runtime accepted a document that the mount cannot parse, so the operation is not
      // counted.
    }
  }
}

/** Returns the operation of a request, or all operations of a batch. */
function requestsIn(req: BodyRequest): GraphqlRequest[] {
  if (req.method === 'GET') {
    const search = new URLSearchParams(splitUrl(req.url ?? '')[1]);
    return [{ query: search.get('query'), operationName: search.get('operationName') }];
  }
  return [req.body].flat().filter((body): body is GraphqlRequest => body instanceof Object);
}

interface GraphqlRequest {
  readonly query?: unknown;
  readonly operationName?: unknown;
}

/**
 * Calls `refuse` if a runtime reads a body that was already read. Otherwise, the runtime would wait
 * forever, because the stream has ended.
 */
export function whenReadAgain(
  req: IncomingMessage,
  res: ServerResponse,
  refuse: (error: BodyReadError) => void,
): void {
  const look = (event: string | symbol) => {
    if ((event !== 'data' && event !== 'readable') || !req.readableEnded) return;
    req.off('newListener', look);
    if (!res.headersSent) refuse(new BodyReadError());
  };
  req.on('newListener', look);
}
