import { DocumentRefusal } from '../documents/document-refusal.js';
import type { ServedSchema } from '../operation/served-schema.js';
import type { OperationRequest } from './read.js';
import { Refusal, refuse } from './status.js';

/** Finds the text of a request's document: in the request, or by its id. */
export function findDocument(
  request: OperationRequest,
  { documents }: Pick<ServedSchema, 'documents'>,
): string | Refusal | Promise<string | Refusal> {
  try {
    const found = documents.textOf(request);
    if (!(found instanceof Promise)) return textOr(found);
    return found.then(textOr, refuseDocument);
  } catch (error) {
    return refuseDocument(error);
  }

  /** An empty text has a syntax error. */
  function textOr(text: string | undefined): string | Refusal {
    return text ?? request.query ?? refuse('malformed', 'Missing query', 'BAD_REQUEST');
  }
}

/** @throws the error, unless it is about the document */
function refuseDocument(error: unknown): Refusal {
  if (!(error instanceof DocumentRefusal)) throw error;
  return new Refusal(error.status === 200 ? 'unknownDocument' : 'refusedDocument', [error]);
}
