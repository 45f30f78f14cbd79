import {
  GraphQLError,
  type GraphQLFormattedError,
  NoSchemaIntrospectionCustomRule,
  type ValidationRule,
} from 'graphql';
import { loadPeer } from '../load-peer.js';
import { changeOptions, type NestGraphqlModule } from '../nest-graphql-modules.js';
import {
  asGraphqlError,
  codedError,
  formattedError,
  isOverflow,
  thrownBy,
  withoutStack,
  withoutSuggestion,
  writable,
} from '../operation/formatted-error.js';

/** The result of an operation that Mercurius passes to `errorFormatter`. */
interface Execution {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly GraphQLError[] | null;
  readonly statusCode?: number;
}

/**
 * Use as `errorFormatter` of `GraphQLModule`. Formats errors as `GraphqlMountModule` does. An
 * HttpException keeps its message, and its status determines `extensions.code`. Errors of Mercurius
 * and Fastify, including `ErrorWithProps`, keep their messages. Other errors are logged, and masked
 * in production (NODE_ENV). Without this function, Mercurius sends the message of every error to
 * clients.
 */
export function formatMercuriusErrors({ data, errors, statusCode }: Execution) {
  const given = errors ?? [];
  const [first] = given;
  const only = given.length === 1 ? thrownIn(first)?.statusCode : undefined;
  const ofError = typeof only === 'number' ? only : undefined;
  return {
    statusCode: data ? 200 : (statusCode ?? ofError ?? 200),
    response: { data: data ?? null, errors: given.flatMap(inside).map(formatted) },
  };
}

interface Thrown {
  readonly code?: unknown;
  readonly statusCode?: unknown;
  readonly extensions?: unknown;
  readonly errors?: unknown;
}

function thrownIn(error: GraphQLError | undefined): Thrown | undefined {
  return error && (thrownBy(error) as Thrown | undefined);
}

/**
 * Returns the errors inside an error. If a document is rejected, Mercurius puts all its errors into
 * one error. Errors of resolvers may also have `errors`, with values of another kind.
 */
function inside(error: GraphQLError): readonly GraphQLError[] {
  const thrown = thrownIn(error);
  if (thrown === undefined || !hasOwnCode(thrown) || !Array.isArray(thrown.errors)) return [error];
  const errors = thrown.errors as readonly Error[];
  // Mercurius puts an Error with its own message here if GET must not execute the operation.
  if (thrown.statusCode !== 405) return errors.map(rejection);
  return errors.map(({ message }) => codedError(message, 'METHOD_NOT_ALLOWED'));
}

/**
 * Returns an error of a rejected document with the code that a mount sets. Mercurius does not tell
 * whether the document could not be parsed, was invalid, or could not be executed.
 */
function rejection(thrown: Error): GraphQLError {
  const error = asGraphqlError(thrown);
  if (OF_EXECUTION.test(error.message)) return error;
  const isOfParser = isOverflow(error) || error.message.startsWith('Syntax Error');
  error.extensions['code'] ??= isOfParser ? 'GRAPHQL_PARSE_FAILED' : 'GRAPHQL_VALIDATION_FAILED';
  return error;
}

/** Matches errors about the variables or the operation name of a valid document. */
const OF_EXECUTION =
  /^(Variable "\$\w+" (got invalid value|of (required|non-null) type)|Unknown operation named|Must provide)/;

function formatted(error: GraphQLError): GraphQLFormattedError {
  const isPlain = isForClients(thrownIn(error));
  return writable(isPlain ? withoutStack(error.toJSON()) : formattedError(error));
}

/**
 * Returns true for errors of Fastify and Mercurius with a status below 500. Also returns true for
 * `ErrorWithProps`, Mercurius' class for errors that clients may see.
 */
function isForClients(thrown: Thrown | undefined): boolean {
  if (thrown === undefined) return false;
  if (thrown.constructor.name === 'ErrorWithProps') return true;
  return hasOwnCode(thrown) && Number(thrown.statusCode ?? 500) < 500;
}

function hasOwnCode({ code }: Thrown): boolean {
  return typeof code === 'string' && /^(MER|FST)_ERR_/.test(code);
}

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
