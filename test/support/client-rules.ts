// The rules by which clients reject a request, all tools of a server, or a single tool. Dots are
// allowed in tool names: tools without an explicit name have one, and a message at startup lists
// them.

interface ListedTool {
  readonly name: string;
  readonly inputSchema: object;
  readonly outputSchema?: object | undefined;
}

type Schema = Readonly<Record<string, unknown>>;

/** Returns a sentence for each rule that a list of tools breaks. */
export function brokenClientRules(tools: readonly ListedTool[]): readonly string[] {
  return [
    ...similarNames(tools),
    ...tools.flatMap((tool) => faultsOf(tool).map((fault) => `${tool.name}: ${fault}`)),
  ];
}

function similarNames(tools: readonly ListedTool[]): readonly string[] {
  const keys = tools.map(({ name }) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
  return tools.flatMap(({ name }, i) => {
    const first = keys.indexOf(keys[i] as string);
    return first < i ? [`${name}: is too similar to ${tools[first]?.name}`] : [];
  });
}

const COMPOSITIONS = ['oneOf', 'anyOf', 'allOf', 'not', 'if'];

function faultsOf({ name, inputSchema, outputSchema = {} }: ListedTool): readonly string[] {
  const schema = inputSchema as Schema;
  const properties = schema['properties'];
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  return [
    ...(/^[a-zA-Z0-9_.-]{1,64}$/.test(name) ? [] : ['its name is rejected']),
    ...(schema['type'] === 'object' ? [] : [`its type is ${String(schema['type'])}`]),
    ...COMPOSITIONS.filter((keyword) => keyword in schema).map((each) => `has ${each} at its root`),
    ...(isSchema(properties) ? Object.keys(properties) : ['properties are missing'])
      .filter((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key))
      .map((key) => `the argument ${JSON.stringify(key)} is rejected`),
    ...(bytes > 16_384 ? [`its schema has ${bytes} bytes`] : []),
    ...lostRefs(schema),
    ...lostRefs(outputSchema as Schema),
    ...listsWithoutItems(schema, 'inputSchema'),
  ];
}

function lostRefs(root: Schema): readonly string[] {
  const targets = ['$defs', 'definitions'].flatMap((keyword) =>
    isSchema(root[keyword]) ? Object.keys(root[keyword]).map((key) => `#/${keyword}/${key}`) : [],
  );
  return schemasIn(root, '').flatMap(([{ $ref: ref }, at]) =>
    typeof ref !== 'string' || targets.some((each) => ref === each || ref.startsWith(`${each}/`))
      ? []
      : [`the reference ${ref} at ${at} has no target`],
  );
}

function listsWithoutItems(root: Schema, place: string): readonly string[] {
  return schemasIn(root, place).flatMap(([schema, at]) =>
    [schema['type']].flat().includes('array') && !schema['items'] ? [`no items at ${at}`] : [],
  );
}

const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const VALUES = ['const', 'enum', 'default', 'examples'];

/** Returns every schema inside a schema, with its place. */
function schemasIn(value: unknown, at: string): readonly (readonly [Schema, string])[] {
  if (Array.isArray(value)) return value.flatMap((each, i) => schemasIn(each, `${at}/${i}`));
  if (!isSchema(value)) return [];
  const inner = Object.entries(value).filter(([keyword]) => !VALUES.includes(keyword));
  return [
    [value, at],
    ...inner.flatMap(([keyword, each]) =>
      NAMED.includes(keyword) && isSchema(each)
        ? Object.entries(each).flatMap(([name, one]) => schemasIn(one, `${at}/${keyword}/${name}`))
        : schemasIn(each, `${at}/${keyword}`),
    ),
  ];
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
