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
  /**
   * Rules that need the variables, such as the cost of a query: made and run for each operation, after
   * the other rules passed. @default none
   */
  readonly operationRules?: (operation: ValidatedOperation) => readonly ValidationRule[];
  /** Tokens a document may have. @default 15000 */
  readonly maxTokens?: number;
  /** Whether `__schema` and `__type` are answered, and names suggested for unknown ones. @default process.env.NODE_ENV !== 'production' */
  readonly introspection?: boolean;
  /** Changes an error before a client sees it. If it throws, the client gets `Internal server error` and the log the cause. @default as it is */
  readonly formatError?: FormatError;
  /** Valid documents that are kept parsed, of 80 kB heap on average and 40 MB together by default; false for none. @default 500 */
  readonly documentCache?: number | false;
}

/** What a client sends beside the document. */
export interface ValidatedOperation {
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
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
  private readonly operationRules: ProtectionOptions['operationRules'];
  private readonly cache: DocumentCache | undefined;
  /** Texts of documents that are not in the cache yet: they have not been validated. */
  private readonly sources = new WeakMap<DocumentNode, string>();
  private readonly known = new WeakMap<DocumentNode, KnownDocument>();

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
    this.operationRules = options.operationRules;
    const size = options.documentCache ?? DOCUMENTS;
    this.cache = size === false || size === 0 ? undefined : new DocumentCache(size);
  }

  /** @throws GraphQLError for a text that is no document, or has too many tokens */
  parse(source: string): DocumentNode {
    const found = this.cache?.get(source);
    if (found !== undefined) return found.document;
    const document = this.parseAnew(source);
    if (this.cache !== undefined) this.sources.set(document, source);
    return document;
  }

  /**
   * Returns what is wrong with a document; nothing for most. A document is kept once it is valid, and
   * validated once for each schema.
   * @param operation for `operationRules`, which run each time
   */
  validate(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: ValidatedOperation = {},
  ): readonly GraphQLError[] {
    const errors = this.validateDocument(schema, document);
    if (errors.length > 0 || this.operationRules === undefined) return errors;
    return this.validateAnew(schema, document, this.operationRules(operation));
  }

  private validateDocument(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
    if (this.known.get(document)?.validFor.has(schema)) return [];
    const errors = this.validateAnew(schema, document, this.rules);
    if (errors.length === 0) this.keep(schema, document);
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

  /** Invalid documents are not kept: their errors hold more memory than they save time. */
  private keep(schema: GraphQLSchema, document: DocumentNode): void {
    const known = this.known.get(document);
    const source = this.sources.get(document);
    if (known !== undefined) known.validFor.add(schema);
    else if (this.cache !== undefined && source !== undefined) {
      const valid = { document, validFor: new WeakSet([schema]) };
      this.sources.delete(document);
      this.known.set(document, valid);
      // The same text may have been parsed by two requests at once.
      if (this.cache.get(source) === undefined) this.cache.set(source, valid);
    }
  }

  private validateAnew(
    schema: GraphQLSchema,
    document: DocumentNode,
    rules: readonly ValidationRule[],
  ): readonly GraphQLError[] {
    try {
      const { hideSuggestions } = this;
      const errors = validate(schema, document, rules, { hideSuggestions });
      for (const error of errors) error.extensions['code'] ??= 'GRAPHQL_VALIDATION_FAILED';
      return errors;
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
