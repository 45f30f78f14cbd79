import {
  type DocumentNode,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  type ValidationRule,
} from 'graphql';
import { DocumentCache, type KnownDocument } from './document-cache.js';
import { asGraphqlError, type FormatError, formattedError, lastWord } from './formatted-error.js';

/** What guards a schema, alike on every transport. */
export interface ProtectionOptions {
  /** Rules beside those of the specification. They see the document and never the variables: their answer is cached. @default none */
  readonly validationRules?: readonly ValidationRule[];
  /** Tokens a document may have. @default 15000 */
  readonly maxTokens?: number;
  /** Whether `__schema` and `__type` are answered, and names suggested for unknown ones. @default process.env.NODE_ENV !== 'production' */
  readonly introspection?: boolean;
  /** Changes an error before a client sees it. If it throws, the client gets `Internal server error` and the log the cause. @default as it is */
  readonly formatError?: FormatError;
  /** Documents kept parsed and validated. @default 500 */
  readonly documentCache?: number | false;
}

const MAX_TOKENS = 15_000;
const DOCUMENTS = 500;

/**
 * Parses and validates documents, under the codes that Apollo and Yoga give their errors, and says of
 * errors what a client may know.
 */
export class Protection {
  private readonly rules: readonly ValidationRule[];
  private readonly maxTokens: number;
  private readonly hideSuggestions: boolean;
  private readonly formatError: ProtectionOptions['formatError'];
  private readonly cache: DocumentCache | undefined;
  private readonly parsed = new WeakMap<DocumentNode, KnownDocument>();

  constructor(options: ProtectionOptions = {}) {
    const introspection = options.introspection ?? process.env['NODE_ENV'] !== 'production';
    this.rules = [
      ...specifiedRules,
      ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
      ...(options.validationRules ?? []),
    ];
    this.hideSuggestions = !introspection;
    this.maxTokens = options.maxTokens ?? MAX_TOKENS;
    this.formatError = options.formatError;
    const size = options.documentCache ?? DOCUMENTS;
    this.cache = size === false || size === 0 ? undefined : new DocumentCache(size);
  }

  /** @throws GraphQLError for a text that is no document, or has too many tokens */
  parse(source: string): DocumentNode {
    const found = this.cache?.get(source);
    if (found !== undefined) return found.document;
    const document = this.parseAnew(source);
    if (this.cache !== undefined) {
      const known = { document, errors: new WeakMap() };
      this.cache.set(source, known);
      this.parsed.set(document, known);
    }
    return document;
  }

  /** What is wrong with a document; empty for most. Asks once for each schema and cached text. */
  validate(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
    const known = this.parsed.get(document);
    const before = known?.errors.get(schema);
    if (before !== undefined) return before;
    const errors = this.validateAnew(schema, document);
    for (const error of errors) error.extensions['code'] ??= 'GRAPHQL_VALIDATION_FAILED';
    known?.errors.set(schema, errors);
    return errors;
  }

  /**
   * An error as clients see it. Of what no one threw for them, production tells nothing
   * (`Internal server error`), and the log everything; never a stack.
   */
  format(given: Error): GraphQLFormattedError {
    // graphql-js reports what ends the stack as it is, where it reads variables.
    const error = given instanceof RangeError ? tooDeep('variables') : asGraphqlError(given);
    const formatted = formattedError(error);
    return this.formatError === undefined
      ? formatted
      : lastWord(this.formatError, formatted, error);
  }

  private validateAnew(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
    try {
      const { hideSuggestions } = this;
      return validate(schema, document, this.rules, { hideSuggestions });
    } catch (error) {
      if (error instanceof RangeError) return [tooDeep('document')];
      throw error;
    }
  }

  private parseAnew(source: string): DocumentNode {
    try {
      return parse(source, { maxTokens: this.maxTokens });
    } catch (error) {
      const told = error instanceof RangeError ? tooDeep('document') : error;
      if (told instanceof GraphQLError) told.extensions['code'] ??= 'GRAPHQL_PARSE_FAILED';
      throw told;
    }
  }
}

/** graphql-js walks documents and variables by recursion: what is nested too deeply ends its stack. */
function tooDeep(what: 'document' | 'variables'): GraphQLError {
  const verb = what === 'document' ? 'is' : 'are';
  return new GraphQLError(`The ${what} ${verb} nested too deeply`, {
    extensions: { code: what === 'document' ? 'GRAPHQL_PARSE_FAILED' : 'BAD_USER_INPUT' },
  });
}
