import { getOperationAST } from 'graphql';
import type { ServerResponse } from 'node:http';
import type { Operations } from '../operation/operations.js';
import type { BodyRequest } from './request-body.js';

/**
 * Counts for a runtime that does not: by what the request asks for, where its answer has a status
 * below 400, and as an error where it has not. Errors in an answer of status 200 stay unseen.
 */
export function tallyWhenAnswered(
  req: BodyRequest,
  res: ServerResponse,
  { schema, protection, counts }: Operations,
): void {
  res.once('finish', () => {
    if (res.statusCode >= 400) return counts.failed();
    for (const { query, operationName } of requestsIn(req)) {
      const kind = kindOf(query, operationName);
      if (kind !== undefined) counts.started(kind);
    }
  });

  function kindOf(query: unknown, operationName: unknown) {
    if (typeof query !== 'string') return undefined;
    try {
      const name = typeof operationName === 'string' ? operationName : undefined;
      const document = protection.parse(query);
      // Only a valid document stays parsed for the next request.
      protection.validate(schema(), document);
      return getOperationAST(document, name)?.operation;
    } catch {
      return undefined;
    }
  }
}

/** One, or those of a batch. */
function requestsIn(req: BodyRequest): GraphqlRequest[] {
  if (req.method === 'GET') {
    const search = new URLSearchParams(req.url?.split('?')[1]);
    return [{ query: search.get('query'), operationName: search.get('operationName') }];
  }
  return [req.body].flat().filter((body): body is GraphqlRequest => body instanceof Object);
}

interface GraphqlRequest {
  readonly query?: unknown;
  readonly operationName?: unknown;
}
