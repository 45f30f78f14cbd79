import type { InjectionToken } from '@nestjs/common';

/** The application's providers, for one GraphQL operation. */
export interface GraphqlContainer {
  /**
   * Returns a singleton provider.
   * @throws Nest's error for an unknown token, and for a request-scoped or transient provider
   */
  get<T>(token: ClassToken<T>): T;
  get<T = unknown>(token: InjectionToken): T;
  /** Returns a provider of any scope. A request-scoped provider has one instance per operation. */
  resolve<T>(token: ClassToken<T>): Promise<T>;
  resolve<T = unknown>(token: InjectionToken): Promise<T>;
}

type ClassToken<T> = abstract new (...args: never[]) => T;
