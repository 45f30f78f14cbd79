import { Injectable } from '@nestjs/common';

/**
 * A GraphQL endpoint that a package serves. Its schema is a graphql-js schema, but core does not
 * import graphql-js.
 */
export interface ServedGraphql {
  /** Returns the path of the endpoint, with the global prefix. Call it after `main.ts` has run. */
  readonly path: () => string;
  /**
   * Returns the graphql-js schema. Call this after `onModuleInit`, because another module may build
   * the schema.
   */
  readonly schema: () => unknown;
  /**
   * Validates a document according to the endpoint's own rules, such as a token limit. Returns the
   * errors.
   */
  readonly check: (document: string) => readonly Error[];
  /**
   * Returns the body fields of a request that executes one of the application's own documents. Such
   * a request works even if clients have no permission to send documents. Call it once for each
   * document, at startup.
   * @default the document, as `query`
   */
  readonly members?: (document: string) => Readonly<Record<string, string>>;
}

/** The schemas of the application's GraphQL endpoints, for packages that read them. */
@Injectable()
export class GraphqlSchemas {
  private readonly served: ServedGraphql[] = [];

  get all(): readonly ServedGraphql[] {
    return this.served;
  }

  add(endpoint: ServedGraphql): void {
    this.served.push(endpoint);
  }
}
