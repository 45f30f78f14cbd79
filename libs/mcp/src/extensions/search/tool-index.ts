import { isObject } from '@fledge-internal/options';
import type MiniSearch from 'minisearch';
import type { Tool } from '../../publish/catalogue/tool.js';
import type { JsonSchema } from '../../publish/decorators/author-schema.js';
import { mapSubschemas } from '../../publish/schema/subschemas.js';
import { wordsOf } from './words.js';

/** The searchable strings of a tool. */
interface Entry {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly parameters: string;
}

/** Maximum characters of a search query. The rest is ignored. */
const LONGEST_QUERY = 1_000;

/** Maximum number of different words of a search query. */
const MOST_WORDS = 16;

/**
 * The weights of matches. A match in the name counts twice as much as a match in the description,
 * and four times as much as a match in the parameters.
 */
const BOOST = { name: 4, description: 2, parameters: 1 };

/** Ranks tools with BM25+. Names, titles, descriptions and parameters are searched. */
export class ToolIndex {
  private readonly byName: ReadonlyMap<string, Tool>;

  private constructor(
    private readonly tools: readonly Tool[],
    private readonly words: MiniSearch<Entry>,
  ) {
    this.byName = new Map(tools.map((tool) => [tool.name.toLowerCase(), tool]));
  }

  /** Loads the search library and builds the index. */
  static async of(tools: readonly Tool[]): Promise<ToolIndex> {
    const { default: Index } = await import('minisearch');
    const words = new Index<Entry>({
      fields: ['name', 'description', 'parameters'],
      tokenize: wordsOf,
      processTerm: (word) => word,
      searchOptions: {
        tokenize: (query) => [...new Set(wordsOf(query))].slice(0, MOST_WORDS),
        boost: BOOST,
        // In non-Latin scripts, two characters may be a whole word.
        prefix: (word) => word.length > 2 || /[^\p{Script=Latin}\p{N}]/u.test(word),
        fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      },
    });
    words.addAll(tools.map(entryOf));
    return new ToolIndex(tools, words);
  }

  /** Returns the matching tools, the best first. A tool whose name equals the query comes first. */
  ranked(query: string): readonly Tool[] {
    const found = this.words
      .search(query.slice(0, LONGEST_QUERY))
      .toSorted((a, b) => b.score - a.score || (a.id as number) - (b.id as number))
      .map(({ id }) => this.tools[id as number] as Tool);
    const exact = this.byName.get(query.trim().toLowerCase());
    return exact ? [exact, ...found.filter((tool) => tool !== exact)] : found;
  }
}

function entryOf(tool: Tool, id: number): Entry {
  return {
    id,
    name: tool.name,
    description: `${tool.title ?? ''} ${tool.description}`,
    parameters: textsIn(tool.inputSchema).join(' '),
  };
}

/** Lists the names, descriptions and enum values of parameters, at any depth. */
function textsIn(schema: JsonSchema): string[] {
  const { properties, title, description, enum: values } = schema;
  const texts = [
    ...(isObject(properties) ? Object.keys(properties) : []),
    ...[title, description, ...(Array.isArray(values) ? (values as unknown[]) : [])].filter(
      (text) => typeof text === 'string',
    ),
  ];
  mapSubschemas(schema, (inner) => {
    texts.push(...textsIn(inner));
    return inner;
  });
  return texts;
}
