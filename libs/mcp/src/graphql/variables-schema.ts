import {
  type GraphQLInputType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type StringValueNode,
  TypeInfo,
  typeFromAST,
  valueFromASTUntyped,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { JsonSchema } from '../publish/decorators/author-schema.js';
import { commentAbove } from './comments.js';
import { described, InputTypes } from './input-schema.js';
import type { FileOperation } from './operations.js';

/**
 * The input schema of a valid operation: its variables are the arguments.
 * @param scalars JSON Schemas of scalars, by name
 * @param onUnknown called for a scalar without one
 */
export function variablesSchemaOf(
  { node, document }: Pick<FileOperation, 'node' | 'document'>,
  schema: GraphQLSchema,
  scalars: Readonly<Record<string, JsonSchema>>,
  onUnknown: (scalar: string) => void,
): JsonSchema {
  const types = new InputTypes(scalars, onUnknown);
  const usages = describedArguments(document, schema);
  const variables = variablesOf(node);
  const properties = variables.map((variable): [string, JsonSchema] => {
    const { value: name } = variable.variable.name;
    // A valid operation has variables of input types only.
    const type = types.schemaOf(typeFromAST(schema, variable.type) as GraphQLInputType);
    return [name, propertyOf(variable, type, usages.get(name))];
  });
  const required = variables
    .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && !defaultValue)
    .map(({ variable }) => variable.name.value);
  const { $defs } = types;
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...(Object.keys($defs).length > 0 && { $defs }),
  };
}

export function variablesOf(node: OperationDefinitionNode): readonly VariableDefinitionNode[] {
  return node.variableDefinitions ?? [];
}

/** The description that a node of an operation has in the syntax of September 2025. */
export function descriptionOf(node: object): string | undefined {
  const { description } = node as { readonly description?: StringValueNode };
  return description?.value.trim() || undefined;
}

function propertyOf(
  variable: VariableDefinitionNode,
  type: JsonSchema,
  usage: string | undefined,
): JsonSchema {
  const description = descriptionOf(variable) ?? commentAbove(variable) ?? usage;
  const value = variable.defaultValue && valueFromASTUntyped(variable.defaultValue);
  return {
    ...described(type, [description]),
    ...(value !== undefined && value !== null && { default: value }),
  };
}

/** The description of the first argument that each variable is passed to. */
function describedArguments(
  document: FileOperation['document'],
  schema: GraphQLSchema,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const info = new TypeInfo(schema);
  const visitor = {
    Variable: (node: { readonly name: { readonly value: string } }, key: unknown) => {
      // The value of an argument itself, not a member of its input object or list.
      const description = key === 'value' ? info.getArgument()?.description : undefined;
      if (description && !found.has(node.name.value)) found.set(node.name.value, description);
    },
    ObjectValue: () => false as const,
    VariableDefinition: () => false as const,
  };
  visit(document, visitWithTypeInfo(info, visitor));
  return found;
}
