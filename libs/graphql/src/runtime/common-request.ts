import { isObject } from '@fledge-internal/options';
import type { RequestParams } from 'graphql-http';
import type { IncomingMessage } from 'node:http';
import type { OperationDocuments } from '../operation/served-schema.js';

/** What a usual request asks for, and the media type that answers it. */
export interface CommonRequest {
  readonly params: RequestParams;
  readonly type: string;
}

const JSON_BODY = new Set(['application/json', 'application/json; charset=utf-8']);

const JSON_ANSWER = 'application/json; charset=utf-8';
const GRAPHQL_ANSWER = 'application/graphql-response+json; charset=utf-8';

/** Usual values of `Accept`, and the media type with which graphql-http answers them. */
const ANSWERS = new Map<string | undefined, string>([
  [undefined, JSON_ANSWER],
  ['*/*', JSON_ANSWER],
  ['application/json', JSON_ANSWER],
  ['application/graphql-response+json', GRAPHQL_ANSWER],
  ['application/graphql-response+json, application/json', GRAPHQL_ANSWER],
  ['application/graphql-response+json,application/json;q=0.9', GRAPHQL_ANSWER],
  ['application/graphql-response+json, application/json;q=0.9', GRAPHQL_ANSWER],
]);

/**
 * Recognizes the requests that clients usually send: a POST of a well-formed operation as JSON, whose body is
 * parsed. Returns undefined for all others, also correct ones.
 */
export function commonRequest(
  req: IncomingMessage & { readonly body?: unknown },
  documents: Pick<OperationDocuments, 'known'>,
): CommonRequest | undefined {
  const { method, headers, body } = req;
  const type = ANSWERS.get(headers.accept);
  if (method !== 'POST' || type === undefined || !isObject(body)) return undefined;
  if (!JSON_BODY.has(headers['content-type'] ?? '')) return undefined;
  const { operationName, variables, extensions } = body;
  const query = documents.known(body);
  const wellFormed =
    query !== undefined &&
    (operationName == null || typeof operationName === 'string') &&
    (variables == null || isObject(variables)) &&
    (extensions == null || isObject(extensions));
  return wellFormed ? { params: { query, operationName, variables }, type } : undefined;
}
