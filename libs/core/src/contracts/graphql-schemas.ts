import { Injectable } from '@nestjs/common';

/** A GraphQL endpoint that a package serves. Its schema is of graphql-js, which core does not import. */
export interface ServedGraphql {
  /** Path of the endpoint, with the global prefix. Call it after `main.ts`. */
  readonly path: () => string;
  /** The schema of graphql-js. Call it after `onModuleInit`, because another module may build it. */
  readonly schema: () => unknown;
  /** Returns the errors of a document by the endpoint's own rules, such as for too many tokens. */
  readonly check: (document: string) => readonly Error[];
  /**
   * Returns the members of a request that executes a document of the application's own, also where clients may
   * not send texts. Call it once for each document, at boot. @default its text, as `query`
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
