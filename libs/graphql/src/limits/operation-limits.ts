import {
  type ASTNode,
  type DocumentNode,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { ValidatedOperation } from '../operation/served-schema.js';
import type { ResolvedOperationLimits } from '../graphql.defaults.js';
import { exceedingNode, OperationMeasure } from './operation-measure.js';
import { exceedsIntrospection, introspects } from './introspection-size.js';
import { type Complexity, costOf, loadComplexity } from './operation-cost.js';
import type { OperationLimits } from '../operation/protection.options.js';

/**
 * The limits that need no variables. The depth must be checked first, because the search for the
 * node that exceeds another limit is recursive.
 */
const STATIC_LIMITS = ['depth', 'rootFields', 'fields', 'aliases', 'directives'] as const;

/** Compares operations with the limits of an endpoint. */
export class LimitCheck {
  /** Results of the first check, by operation of a parsed document. */
  private readonly checked = new WeakMap<OperationDefinitionNode, Compared>();
  private complexity: Complexity | undefined;

  constructor(private readonly limits: ResolvedOperationLimits) {}

  /**
   * Loads the package that calculates costs, if `cost` is set.
   * @throws MissingPeerError, UnfitPeerError
   */
  async load(): Promise<void> {
    if (this.limits.cost !== false) this.complexity ??= await loadComplexity();
  }

  /** Checks an operation of a valid document. */
  check(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: ValidatedOperation,
  ): GraphQLError | undefined {
    return (
      this.beforeValidation(document, operation) ??
      this.afterValidation(schema, document, operation)
    );
  }

  /**
   * Checks the limits that need no variables, once for each document. The document may be invalid.
   * This runs before validation, because the validation of a large document takes a long time.
   * @returns the error of the selected operation. If there is none with that name, the error of any
   * operation
   */
  beforeValidation(
    document: DocumentNode,
    { operationName }: ValidatedOperation,
  ): GraphQLError | undefined {
    const selected = getOperationAST(document, operationName);
    for (const operation of selected ? [selected] : document.definitions) {
      if (operation.kind !== Kind.OPERATION_DEFINITION) continue;
      const result = this.compared(document, operation);
      if (typeof result !== 'string') return limitExceeded(result);
    }
    return undefined;
  }

  /**
   * Checks the cost of an operation and the size of its introspection. The document must be valid.
   */
  afterValidation(
    schema: GraphQLSchema,
    document: DocumentNode,
    { operationName, variables }: ValidatedOperation,
  ): GraphQLError | undefined {
    const operation = getOperationAST(document, operationName);
    // The execution reports the error for an operation that does not exist.
    if (!operation) return undefined;
    const { cost: maximum, introspection } = this.limits;
    if (introspection !== false && this.compared(document, operation) === 'introspects') {
      const given = { maximum: introspection, variables: variables ?? {} };
      if (exceedsIntrospection(schema, document, operation, given)) {
        return limitExceeded({ limit: 'introspection', maximum: introspection, node: operation });
      }
    }
    if (maximum === false || this.complexity === undefined) return undefined;
    const given = { schema, document, operation, variables: variables ?? {} };
    const cost = costOf(this.complexity, given);
    if (cost === undefined || cost <= maximum) return undefined;
    const known = Number.isFinite(cost) ? { cost } : {};
    return limitExceeded({ limit: 'cost', maximum, node: operation, ...known });
  }

  private compared(document: DocumentNode, operation: OperationDefinitionNode): Compared {
    let result = this.checked.get(operation);
    if (result === undefined) {
      result = this.compare(document, operation);
      this.checked.set(operation, result);
    }
    return result;
  }

  private compare(document: DocumentNode, operation: OperationDefinitionNode): Compared {
    const measure = new OperationMeasure(document);
    const measured = measure.ofOperation(operation);
    for (const limit of STATIC_LIMITS) {
      const maximum = this.limits[limit];
      if (maximum === false || measured[limit] <= maximum) continue;
      return { limit, maximum, node: exceedingNode(operation, measure, limit, maximum) };
    }
    return introspects(document, operation) ? 'introspects' : 'within';
  }
}

/**
 * The limit that an operation exceeds. If there is none, the value says if the operation
 * introspects the schema.
 */
type Compared = Exceeded | 'within' | 'introspects';

interface Exceeded {
  readonly limit: keyof OperationLimits;
  readonly maximum: number;
  /** The first node that exceeds the limit. */
  readonly node: ASTNode;
  /**
   * The cost of the operation. Undefined for other limits, and if the cost was too large to
   * calculate.
   */
  readonly cost?: number | undefined;
}

/**
 * Returns the error for an operation that exceeds a limit. Outside production the error has the
 * location in the document.
 */
function limitExceeded({ limit, maximum, node, cost }: Exceeded): GraphQLError {
  const fact =
    cost === undefined ? EXCEEDS[limit](maximum) : `costs ${cost}, but the maximum is ${maximum}`;
  return new GraphQLError(`The operation ${fact}`, {
    extensions: { code: 'GRAPHQL_LIMIT_EXCEEDED', limit, maximum },
    ...(process.env['NODE_ENV'] !== 'production' && { nodes: node }),
  });
}

const EXCEEDS: Readonly<Record<keyof OperationLimits, (maximum: number) => string>> = {
  depth: (maximum) => `nests fields more than ${maximum} levels deep`,
  fields: (maximum) => `has more than ${maximum} fields`,
  rootFields: (maximum) => `has more than ${maximum} root fields`,
  aliases: (maximum) => `has more than ${maximum} aliases`,
  directives: (maximum) => `has more than ${maximum} directives`,
  introspection: (maximum) =>
    `requests more introspection data than ${maximum} times the complete introspection`,
  cost: (maximum) => `costs more than ${maximum}`,
};
