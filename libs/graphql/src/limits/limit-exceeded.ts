import { type ASTNode, GraphQLError } from 'graphql';
import type { OperationLimits } from '../operation/protection.options.js';

/** A limit that an operation exceeds. */
export interface Exceeded {
  readonly limit: keyof OperationLimits;
  readonly maximum: number;
  /** The first node that exceeds the limit. */
  readonly node: ASTNode;
  /** The cost of the operation, if that is the limit and the cost could be calculated to the end. */
  readonly cost?: number | undefined;
}

/** The error for an operation that exceeds a limit. Outside production it has the location in the document. */
export function limitExceeded({ limit, maximum, node, cost }: Exceeded): GraphQLError {
  const fact =
    cost === undefined ? EXCEEDS[limit](maximum) : `costs ${cost}, and the maximum is ${maximum}`;
  return new GraphQLError(`The operation ${fact}`, {
    extensions: { code: 'GRAPHQL_LIMIT_EXCEEDED', limit, maximum },
    ...(process.env['NODE_ENV'] !== 'production' && { nodes: node }),
  });
}

const EXCEEDS: Readonly<Record<keyof OperationLimits, (maximum: number) => string>> = {
  depth: (maximum) => `nests fields in more than ${maximum} levels`,
  fields: (maximum) => `has more than ${maximum} fields`,
  rootFields: (maximum) => `has more than ${maximum} root fields`,
  aliases: (maximum) => `has more than ${maximum} aliases`,
  directives: (maximum) => `has more than ${maximum} directives`,
  introspection: (maximum) =>
    `asks for more than ${maximum} times the size of the complete introspection`,
  cost: (maximum) => `costs more than ${maximum}`,
};
