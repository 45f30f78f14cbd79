import { parse, validate } from 'graphql';
import type { GraphqlEndpoint } from './application-schema.js';
import type { GraphqlOperationLimits } from './graphql-operations.options.js';
import { type Cost, costOf } from './operation-cost.js';
import { depthOf, fragmentsIn } from './operation-depth.js';
import { type FileOperation, type Report, reportError } from './operations.js';

/** A valid operation within the limits, with its cost function. */
export interface CheckedOperation extends FileOperation {
  readonly costOf: Cost;
}

/**
 * Validates an operation and compares it with the limits. If the operation is rejected, reports the
 * problems and returns undefined.
 */
export function checked(
  operation: FileOperation,
  { schema, check }: GraphqlEndpoint,
  limits: Required<GraphqlOperationLimits>,
  report: Report,
): CheckedOperation | undefined {
  const { place } = operation;
  const errors = validate(schema, operation.document);
  for (const error of errors) reportError(error, place, report);
  if (errors.length > 0) return undefined;
  // Locations in these errors refer to the printed document, not to the file.
  const refusals = check(operation.text);
  for (const { message } of refusals) report(place, message.replace(/\.$/, ''));
  if (refusals.length > 0) return undefined;
  const fragments = fragmentsIn(operation);
  const depth = depthOf(operation.node, fragments);
  if (depth > limits.depth) {
    report(
      place,
      `the fields are nested ${depth} levels deep, but limits.depth is ${limits.depth}`,
    );
    return undefined;
  }
  if (!hasAtMost(limits.tokens, operation.text)) {
    report(place, `the operation has more tokens than limits.tokens (${limits.tokens})`);
    return undefined;
  }
  const cost = costOf(operation.node, fragments, new Set(limits.sizeArguments));
  const least = cost({});
  if (least > limits.cost) {
    report(place, `a call costs at least ${least}, but limits.cost is ${limits.cost}`);
    return undefined;
  }
  return { ...operation, costOf: cost };
}

function hasAtMost(maxTokens: number, text: string): boolean {
  try {
    parse(text, { maxTokens });
    return true;
  } catch {
    // The document was printed from a parsed document. So a syntax error can only mean that the
    // document has too many tokens.
    return false;
  }
}
