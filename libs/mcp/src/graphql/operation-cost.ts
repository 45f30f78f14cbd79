import {
  type ArgumentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { isRecord } from '../schema/json-schema.js';
import type { Fragments } from './operation-depth.js';
import { variablesOf } from './variables-schema.js';

type Variables = Readonly<Record<string, unknown>>;

/** The cost of a call with these variables. */
export type Cost = (variables: Variables) => number;

/**
 * Creates the cost function of a valid operation. Each field costs 1. The fields inside a field with a size, such
 * as `first: 20`, cost that many times as much. A size that is not given, or less than 1, counts as 1.
 * @param sizes names of arguments, and of members of input objects, that set the size of a list
 */
export function costOf(
  operation: OperationDefinitionNode,
  fragments: Fragments,
  sizes: ReadonlySet<string>,
): Cost {
  const known = new Map<string, Cost>();
  const ofSet = (set: SelectionSetNode | undefined): Cost => {
    const costs = (set?.selections ?? []).map((selection): Cost => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(selection.name.value);
      const inside = ofSet(selection.selectionSet);
      if (selection.kind === Kind.INLINE_FRAGMENT) return inside;
      const sizeOf = sizeIn(selection.arguments ?? [], sizes);
      return sizeOf ? (given) => 1 + sizeOf(given) * inside(given) : (given) => 1 + inside(given);
    });
    return (given) => costs.reduce((sum, cost) => sum + cost(given), 0);
  };
  const ofFragment = (name: string): Cost => {
    const cost = known.get(name) ?? oncePerCall(ofSet(fragments.get(name)?.selectionSet));
    known.set(name, cost);
    return cost;
  };
  const cost = ofSet(operation.selectionSet);
  const defaults = defaultsOf(operation);
  return (variables) => cost({ ...defaults, ...variables });
}

/** Fragments that spread others several times would take exponential time otherwise. */
function oncePerCall(cost: Cost): Cost {
  const results = new WeakMap<Variables, number>();
  return (variables) => {
    const result = results.get(variables) ?? cost(variables);
    results.set(variables, result);
    return result;
  };
}

/** The size that arguments set. Undefined if none of them can. */
function sizeIn(args: readonly ArgumentNode[], sizes: ReadonlySet<string>): Cost | undefined {
  const found = args.flatMap(({ name, value }) => sizesOf(name.value, value, sizes));
  if (found.length === 0) return undefined;
  return (variables) => Math.max(1, ...found.map((size) => size(variables)));
}

function sizesOf(name: string, node: ValueNode, sizes: ReadonlySet<string>): readonly Cost[] {
  if (node.kind === Kind.OBJECT) {
    return node.fields.flatMap((field) => sizesOf(field.name.value, field.value, sizes));
  }
  if (node.kind === Kind.VARIABLE) {
    return [(variables) => largestIn(name, variables[node.name.value], sizes)];
  }
  return sizes.has(name) ? [() => numberOf(valueFromASTUntyped(node))] : [];
}

/** The largest size in the value of an argument: the value itself, or members of an input object. */
function largestIn(name: string, value: unknown, sizes: ReadonlySet<string>): number {
  if (isRecord(value)) {
    return Math.max(
      1,
      ...Object.entries(value).map(([key, inner]) => largestIn(key, inner, sizes)),
    );
  }
  return sizes.has(name) ? numberOf(value) : 1;
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && value > 1 ? value : 1;
}

function defaultsOf(operation: OperationDefinitionNode): Variables {
  const defaults = variablesOf(operation).flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  );
  return Object.fromEntries(defaults) as Variables;
}
