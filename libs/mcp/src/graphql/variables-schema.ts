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
 * Returns the input schema of a valid operation. Its variables are the arguments of the tool.
 * @param scalars JSON Schemas of scalars, by name
 * @param onUnknown called for a scalar without a JSON Schema
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
    // All variables of a valid operation have input types.
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

/** Returns the description of a node in an operation (GraphQL specification of September 2025). */
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

/** Returns, for each variable, the description of the first argument that uses it. */
function describedArguments(
  document: FileOperation['document'],
  schema: GraphQLSchema,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const info = new TypeInfo(schema);
  const visitor = {
    Variable: (node: { readonly name: { readonly value: string } }, key: unknown) => {
      // A description is used only if the variable is the whole value of the argument. It is not
      // used for a field of an input object or an item of a list.
      const description = key === 'value' ? info.getArgument()?.description : undefined;
      if (description && !found.has(node.name.value)) found.set(node.name.value, description);
    },
    ObjectValue: () => false as const,
    VariableDefinition: () => false as const,
  };
  visit(document, visitWithTypeInfo(info, visitor));
  return found;
}
