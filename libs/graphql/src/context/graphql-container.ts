import type { InjectionToken } from '@nestjs/common';

/** The application's providers, for one GraphQL operation. */
export interface GraphqlContainer {
  /**
   * A provider that all requests share.
   * @throws Nest's error for an unknown token, and for a request-scoped or transient one
   */
  get<T>(token: ClassToken<T>): T;
  get<T = unknown>(token: InjectionToken): T;
  /** A provider of any scope: of a request-scoped one, the one instance of this operation's request. */
  resolve<T>(token: ClassToken<T>): Promise<T>;
  resolve<T = unknown>(token: InjectionToken): Promise<T>;
}

type ClassToken<T> = abstract new (...args: never[]) => T;
