import {
  type DocumentNode,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  OperationTypeNode,
} from 'graphql';
import type { ServedSchema } from '../operation/served-schema.js';
import { type Exchange, isSafe, type OperationRequest } from './read.js';
import { Refusal, refuse } from './status.js';

export interface CheckedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly kind: OperationTypeNode;
  readonly request: OperationRequest;
}

/**
 * Parses and validates a document, and compares it with the limits. Rejects an operation that this
 * request may not execute.
 */
export function checkOperation(
  text: string,
  request: OperationRequest,
  { req, accepted }: Exchange,
  { schema: served, protection }: Pick<ServedSchema, 'schema' | 'protection'>,
): CheckedOperation | Refusal {
  const document = parsed(text, protection);
  if (document instanceof Refusal) return document;
  const schema = served();
  const errors = protection.validate(schema, document, request);
  if (errors.length > 0) return new Refusal('invalid', errors);
  const operation = getOperationAST(document, request.operationName);
  if (!operation) return refuse('unknownOperation', 'Unable to detect operation AST');
  const kind = operation.operation;
  if (kind === OperationTypeNode.MUTATION && isSafe(req)) {
    return refuse('mutationByGet', 'Cannot perform mutations over GET');
  }
  if (kind === OperationTypeNode.SUBSCRIPTION && accepted.stream === undefined) {
    return refuse('unsupportedOperation', 'Subscriptions are not supported');
  }
  return { schema, document, kind, request };
}

function parsed(text: string, protection: ServedSchema['protection']): DocumentNode | Refusal {
  try {
    return protection.parse(text);
  } catch (error) {
    if (error instanceof GraphQLError) return new Refusal('syntaxError', [error]);
    throw error;
  }
}
