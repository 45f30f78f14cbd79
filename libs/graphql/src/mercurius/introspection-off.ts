import {
  type GraphQLFormattedError,
  NoSchemaIntrospectionCustomRule,
  type ValidationRule,
} from 'graphql';
import { changeOptions, type NestGraphqlModule } from '../nest-graphql-modules.js';
import { withoutSuggestion } from '../operation/formatted-error.js';
import { loadPeer } from '../load-peer.js';

/**
 * If introspection is off, rejects `__schema` and `__type` over HTTP. Also removes the schema names
 * that graphql-js suggests for a misspelled name. Mercurius has no such option. Call this function
 * before modules are initialized.
 */
export async function setIntrospection(
  graphqlModule: NestGraphqlModule,
  introspection: boolean,
): Promise<void> {
  // `forMercurius()` reads this option. Mercurius ignores it.
  changeOptions<object>(graphqlModule, (options) => ({ introspection, ...options }));
  if (introspection) return;
  const { default: mercurius } = await loadPeer(
    'mercurius',
    'GraphqlMercuriusModule',
    () => import('mercurius'),
  );
  const formatOfMercurius = mercurius.defaultErrorFormatter as unknown as ErrorFormatter;
  changeOptions<Options>(graphqlModule, (options) => {
    const format = options.errorFormatter ?? formatOfMercurius;
    return {
      ...options,
      validationRules: withoutIntrospection(options.validationRules),
      errorFormatter: (...args) => {
        const { response, ...rest } = format(...args);
        const errors = response.errors?.map(withoutSuggestion);
        return { ...rest, response: { ...response, ...(errors && { errors }) } };
      },
    };
  });
}

function withoutIntrospection(rules: Options['validationRules'] = []): Options['validationRules'] {
  if (typeof rules !== 'function') return [...rules, NoSchemaIntrospectionCustomRule];
  return (params) => [...rules(params), NoSchemaIntrospectionCustomRule];
}

type ErrorFormatter = (...args: never) => {
  readonly statusCode: number;
  readonly response: { readonly errors?: readonly GraphQLFormattedError[] | null };
};

interface Options {
  readonly validationRules?:
    | readonly ValidationRule[]
    | ((params: unknown) => readonly ValidationRule[])
    | undefined;
  readonly errorFormatter?: ErrorFormatter | undefined;
}
