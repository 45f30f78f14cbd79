import {
  type ASTNode,
  type DirectiveNode,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  visit,
} from 'graphql';

/** Values of the variables that `@skip` and `@include` read, by name. */
export type ConditionValues = Readonly<Record<string, unknown>>;

/** Returns the names of the variables that `@skip` and `@include` read. */
export function conditionsIn(nodes: readonly ASTNode[]): readonly string[] {
  const names = new Set<string>();
  for (const node of nodes) {
    visit(node, {
      Directive: (directive) => {
        const value = isCondition(directive) ? conditionOf(directive) : undefined;
        if (value?.kind === Kind.VARIABLE) names.add(value.name.value);
      },
    });
  }
  return [...names].sort();
}

/** Returns true if `@skip` and `@include` keep a node. */
export function isIncluded(
  directives: readonly DirectiveNode[] | undefined,
  values: ConditionValues,
): boolean {
  return (directives ?? []).filter(isCondition).every((directive) => {
    const value = conditionOf(directive);
    const given =
      value?.kind === Kind.VARIABLE
        ? values[value.name.value]
        : value?.kind === Kind.BOOLEAN && value.value;
    return given === (directive.name.value === GraphQLIncludeDirective.name);
  });
}

function isCondition({ name }: DirectiveNode): boolean {
  return name.value === GraphQLSkipDirective.name || name.value === GraphQLIncludeDirective.name;
}

function conditionOf({ arguments: given }: DirectiveNode) {
  return given?.find(({ name }) => name.value === 'if')?.value;
}
