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
import type { ReadProtection } from '../graphql.defaults.js';
import { LimitCheck } from '../limits/operation-limits.js';
import { type BoundedCache, bytesOf, documentCache } from './bounded-cache.js';
import {
  asGraphqlError,
  changedByApplication,
  codedError,
  formattedError,
  isOverflow,
  withoutSuggestion,
  writable,
} from './formatted-error.js';
import { watchScalars } from './returned-value-errors.js';
import type { OperationProtection, ValidatedOperation } from './served-schema.js';
import { UnfitPeerError } from '../graphql.errors.js';

/**
 * Parses and validates documents, and formats errors for clients. Uses the error codes of Apollo
 * and Yoga.
 */
export class Protection implements OperationProtection {
  private readonly rules: readonly ValidationRule[];
  private readonly cache: BoundedCache<DocumentNode> | undefined;
  private readonly limits: LimitCheck;
  /** The schemas for which a document is valid. */
  private readonly validFor = new WeakMap<DocumentNode, WeakSet<GraphQLSchema>>();
  /** The documents of the manifest. They always stay parsed. */
  private readonly pinned = new Map<string, DocumentNode>();
  private built: GraphQLSchema | undefined;

  /** @param build returns the schema. Called on first use, because another module may build it */
  constructor(
    private readonly options: ReadProtection,
    private readonly build: () => GraphQLSchema,
  ) {
    const { introspection, validationRules, documentCache: size, limits } = options;
    this.rules = [
      ...specifiedRules,
      ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
      ...validationRules,
    ];
    this.cache = size === false ? undefined : documentCache(size);
    this.limits = new LimitCheck(limits);
  }

  /**
   * Checks the version of graphql. If `limits.cost` is set, loads the package that calculates
   * costs.
   * @throws MissingPeerError, UnfitPeerError
   */
  readonly load = async (): Promise<void> => {
    refuseUnlimitedTokens();
    await this.limits.load();
  };

  /** Returns the schema of the endpoint. */
  readonly schema = (): GraphQLSchema => (this.built ??= this.build());

  /** @throws GraphQLError for a syntax error or too many tokens */
  parse(source: string): DocumentNode {
    return this.pinned.get(source) ?? this.cache?.get(source) ?? this.parseUncached(source);
  }

  /**
   * Returns the errors of a document. A valid document is cached, and validated once for each
   * schema.
   * @param operation the operation whose limits are checked. `operationRules` also receives this
   * operation. It runs each time, even if the document is cached
   */
  validate(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: ValidatedOperation = {},
  ): readonly GraphQLError[] {
    let read: 'document' | 'variables' = 'document';
    try {
      const refused = this.limits.beforeValidation(document, operation);
      if (refused !== undefined) return [refused];
      const errors = this.validateDocument(schema, document);
      if (errors.length > 0) return errors;
      read = 'variables';
      const costly = this.limits.afterValidation(schema, document, operation);
      if (costly !== undefined) return [costly];
    } catch (error) {
      if (error instanceof RangeError) return [tooDeep(read)];
      throw error;
    }
    const { operationRules } = this.options;
    if (operationRules === undefined) return [];
    return this.validateUncached(schema, document, operationRules(operation));
  }

  /**
   * Returns the errors of a document's text. The option `operationRules` is not applied, because
   * its rules may need variables.
   */
  check(source: string): readonly Error[] {
    const schema = this.schema();
    try {
      return this.validateDocument(schema, this.parse(source));
    } catch (error) {
      return [error as Error];
    }
  }

  /** Returns true if a document's text is valid and within the limits that need no variables. */
  accepts(source: string): boolean {
    try {
      const document = this.parse(source);
      if (this.limits.beforeValidation(document, {}) !== undefined) return false;
      return this.validateDocument(this.schema(), document).length === 0;
    } catch {
      return false;
    }
  }

  /**
   * Returns the errors of a document's text. A valid document always stays parsed, even if the
   * cache is full.
   */
  pin(source: string): readonly Error[] {
    const errors = this.check(source);
    if (errors.length > 0) return errors;
    const document = this.parse(source);
    this.pinned.set(source, document);
    // Without a cache, this is another document than the checked one, but of the same text.
    this.keep(this.schema(), document);
    return errors;
  }

  private validateDocument(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
    if (this.validFor.get(document)?.has(schema)) return [];
    const errors = this.validateUncached(schema, document, this.rules);
    if (errors.length === 0) this.keep(schema, document);
    return errors;
  }

  /**
   * Formats an error for clients, without a stack. Unexpected errors are logged. In production,
   * clients get `Internal server error` instead.
   */
  format(fault: Error): GraphQLFormattedError {
    const error = isOverflow(fault) ? tooDeep('variables') : asGraphqlError(fault);
    const { formatError, introspection } = this.options;
    // graphql-js has an option to hide suggestions since version 16.15. The option affects only
    // validation.
    const given = formattedError(error);
    const formatted = introspection ? given : withoutSuggestion(given);
    return writable(formatError ? changedByApplication(formatError, formatted, error) : formatted);
  }

  /**
   * Caches a valid document. Invalid documents are not cached, because their errors use much
   * memory.
   */
  private keep(schema: GraphQLSchema, document: DocumentNode): void {
    const schemas = this.validFor.get(document);
    if (schemas !== undefined) return void schemas.add(schema);
    this.validFor.set(document, new WeakSet([schema]));
    const source = document.loc?.source.body;
    if (source !== undefined) this.cache?.add(source, document, bytesOf(source, document));
  }

  private validateUncached(
    schema: GraphQLSchema,
    document: DocumentNode,
    rules: readonly ValidationRule[],
  ): readonly GraphQLError[] {
    watchScalars(schema);
    try {
      const hideSuggestions = !this.options.introspection;
      const errors = validate(schema, document, rules, { hideSuggestions });
      for (const error of errors) error.extensions['code'] ??= 'GRAPHQL_VALIDATION_FAILED';
      return errors;
    } catch (error) {
      if (error instanceof RangeError) return [tooDeep('document')];
      throw error;
    }
  }

  private parseUncached(source: string): DocumentNode {
    try {
      return parse(source, { maxTokens: this.options.maxTokens });
    } catch (error) {
      const fault = error instanceof RangeError ? tooDeep('document') : error;
      if (fault instanceof GraphQLError) fault.extensions['code'] ??= 'GRAPHQL_PARSE_FAILED';
      throw fault;
    }
  }
}

/**
 * Rejects versions of graphql before 16.6, which ignore `maxTokens`.
 * @throws UnfitPeerError
 */
function refuseUnlimitedTokens(): void {
  try {
    parse('{ a }', { maxTokens: 1 });
  } catch {
    return;
  }
  throw new UnfitPeerError(
    { name: 'graphql', install: 'graphql@16' },
    'maxTokens',
    'this version parses three tokens although maxTokens is 1',
  );
}

/**
 * Returns the error for a stack overflow: graphql-js processes documents and variables recursively.
 */
function tooDeep(what: 'document' | 'variables'): GraphQLError {
  return what === 'document'
    ? codedError('The document is nested too deeply', 'GRAPHQL_PARSE_FAILED')
    : codedError('The variables are nested too deeply', 'BAD_USER_INPUT');
}
