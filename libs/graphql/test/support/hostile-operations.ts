/** The body of a request. */
export interface HostileOperation {
  readonly query: string;
  readonly operationName?: string;
  readonly variables?: object;
}

const times = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join(' ');

/** A document in which each fragment uses the next one twice: 2 to the power of `levels` fields. */
const bomb = (levels: number, use: (fragment: string) => string) =>
  `{ ...F0 } ${times(levels, (n) => `fragment F${n} on Query { ${use(`F${n + 1}`)} }`)} fragment F${levels} on Query { a }`;

const LIST = 'query ($ids: [Int!], $in: In) { list(ids: $ids, in: $in) { a } }';

const nested = (levels: number): object => (levels === 0 ? {} : { in: nested(levels - 1) });

/** Generators of operations that a server has to refuse, by their kind. No two operations are equal. */
export const hostileOperations: Readonly<Record<string, (i: number) => HostileOperation>> = {
  deep: (i) => {
    const levels = 31 + (i % 60);
    return { query: `{${'q{'.repeat(levels)}x${i}:a${'}'.repeat(levels)}}` };
  },
  wide: (i) => ({ query: `{${' a'.repeat(101 + (i % 100))} x${i}:a}` }),
  aliases: (i) => ({ query: `{ q { ${times(251, (n) => `x${i}_${n}:a`)} } }` }),
  directives: (i) => ({
    query: `{ q { ${times(90, () => `a @include(if: true) @skip(if: false) ... @skip(if: false) { a }`)} } x${i}:a }`,
  }),
  'repeated directives': (i) => ({ query: `{ x${i}: a ${'@skip(if: false) '.repeat(251)} }` }),
  'fragments twice in two fields': (i) => ({
    query: bomb(20 + (i % 9), (next) => `q { ...${next} } r { ...${next} x${i}: a }`),
  }),
  'fragments twice side by side': (i) => ({
    query: bomb(20 + (i % 9), (next) => `...${next} ...${next} x${i}: a`),
  }),
  'many operations': (i) => ({
    query: times(40, (n) => `query Q${n} { q { ${'a '.repeat(3)} x${i}: a } }`),
    ...(i % 2 === 0 && { operationName: 'Missing' }),
  }),
  'a large operation among others': (i) => ({
    query: `query Small { a } query Large {${' a'.repeat(101)} x${i}: a }`,
    operationName: 'Large',
  }),
  'large lists': (i) => ({
    query: LIST,
    variables: { ids: Array.from({ length: 501 + (i % 500) }, (_, n) => n) },
  }),
  'lists of wrong values': (i) => ({
    query: LIST,
    variables: { ids: Array.from({ length: 300 }, () => `wrong ${i}`) },
  }),
  'nested objects': (i) => ({ query: LIST, variables: { ids: [`${i}`], in: nested(300) } }),
  'large arguments': (i) => ({ query: `{ list(first: ${501 + i}) { a } }` }),
  'negative arguments': (i) => ({
    query: `{ x: list(first: ${-i - 1}) { a } y: list(first: 501) { a } }`,
  }),
  'cyclic fragments': (i) => ({
    query: `{ ...A } fragment A on Query { x${i}: a ...B q { ...A } } fragment B on Query { ...A ...B }`,
  }),
};
