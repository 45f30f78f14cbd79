import { isObject } from '@fledge-internal/options';
import {
  type ArgumentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import type { Fragments } from './operation-depth.js';
import { variablesOf } from './variables-schema.js';

type Variables = Readonly<Record<string, unknown>>;

/** Returns the cost of a call with these variables. */
export type Cost = (variables: Variables) => number;

/**
 * Creates the cost function of a valid operation. Each field costs 1. A size argument such as
 * `first: 20` multiplies the cost of the nested fields. A missing size, or a size below 1, counts
 * as 1. A negative literal counts as its absolute value, because it selects the last items. A
 * negative variable costs `Infinity`, because some databases return every row for it.
 * @param sizes names of arguments and of input fields that set the size of a list
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
      return sizeOf ? (given) => 1 + times(sizeOf, inside, given) : (given) => 1 + inside(given);
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

/**
 * Each cost is computed only once per call. Otherwise, fragments that are spread several times
 * would take exponential time.
 */
function oncePerCall(cost: Cost): Cost {
  const results = new WeakMap<Variables, number>();
  return (variables) => {
    const result = results.get(variables) ?? cost(variables);
    results.set(variables, result);
    return result;
  };
}

/** Multiplies the cost by the size. Returns zero if there are no fields inside. */
function times(size: Cost, inside: Cost, given: Variables): number {
  const once = inside(given);
  return once === 0 ? 0 : size(given) * once;
}

/** Returns the size that arguments set, or undefined if no argument sets a size. */
function sizeIn(args: readonly ArgumentNode[], sizes: ReadonlySet<string>): Cost | undefined {
  const found = args.flatMap(({ name, value }) => sizesOf(name.value, value, sizes));
  if (found.length === 0) return undefined;
  return (variables) => largest(found.map((size) => size(variables)));
}

function sizesOf(name: string, node: ValueNode, sizes: ReadonlySet<string>): readonly Cost[] {
  if (node.kind === Kind.OBJECT) {
    return node.fields.flatMap((field) => sizesOf(field.name.value, field.value, sizes));
  }
  if (node.kind === Kind.LIST) return node.values.flatMap((item) => sizesOf(name, item, sizes));
  if (node.kind === Kind.VARIABLE) {
    return [(variables) => largestIn(name, variables[node.name.value], sizes)];
  }
  if (!sizes.has(name)) return [];
  const size = numberOf(absolute(valueFromASTUntyped(node)));
  return [() => size];
}

/**
 * Returns the largest size in an argument: its own value, or the values of fields of input objects.
 */
function largestIn(name: string, value: unknown, sizes: ReadonlySet<string>): number {
  if (Array.isArray(value))
    return largest(value.map((item: unknown) => largestIn(name, item, sizes)));
  if (isObject(value)) {
    return largest(Object.entries(value).map(([key, inner]) => largestIn(key, inner, sizes)));
  }
  return sizes.has(name) ? numberOf(value) : 1;
}

/**
 * Returns the largest number, at least 1. Does not spread the list: a client may send more items
 * than a call can have parameters.
 */
function largest(sizes: readonly number[]): number {
  return sizes.reduce((most, size) => Math.max(most, size), 1);
}

/** Converts a value to a number. Custom scalars may accept numbers as strings. */
function numberOf(value: unknown): number {
  const size = typeof value === 'string' ? Number(value) : value;
  if (typeof size !== 'number') return 1;
  if (size < 0) return Infinity;
  return size > 1 ? size : 1;
}

/** Copies a value and makes all numbers positive. */
function absolute(value: unknown): unknown {
  if (typeof value === 'number') return Math.abs(value);
  if (Array.isArray(value)) return value.map(absolute);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, absolute(inner)]));
}

function defaultsOf(operation: OperationDefinitionNode): Variables {
  const defaults = variablesOf(operation).flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, absolute(valueFromASTUntyped(defaultValue))]] : [],
  );
  return Object.fromEntries(defaults) as Variables;
}
