import { GraphQLError } from 'graphql';

export const GRAPHQL_TYPE = 'application/graphql-response+json';
export const JSON_TYPE = 'application/json';

export type JsonType = typeof GRAPHQL_TYPE | typeof JSON_TYPE;

/** The HTTP statuses of a response, one for each kind of client, and additional headers. */
interface Answered {
  /** The status for clients that accept `application/graphql-response+json`. */
  readonly graphql: number;
  /** The status for clients that accept only JSON, with `jsonStatus: 'ok'`. */
  readonly json: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The possible outcomes of a request (GraphQL over HTTP, first release, September 2026, "Status
 * Codes"). If the client accepts only JSON, a well-formed request gets 200, because such clients
 * treat an error status as a network failure.
 */
const OUTCOMES = {
  /** The result has `data` without `errors`. */
  data: { graphql: 200, json: 200 },
  /** The result has `data` and `errors`. `data` may be null. */
  partialData: { graphql: 294, json: 200 },
  unsupportedMethod: { graphql: 405, json: 405, headers: { allow: 'GET, HEAD, POST' } },
  mutationByGet: { graphql: 405, json: 405, headers: { allow: 'POST' } },
  unsupportedType: { graphql: 415, json: 415, headers: { accept: JSON_TYPE } },
  notAcceptable: { graphql: 406, json: 406 },
  /** The JSON cannot be parsed. */
  unparsable: { graphql: 400, json: 400 },
  /** A parameter is missing or has the wrong type. */
  malformed: { graphql: 422, json: 422 },
  /**
   * The id of the document is unknown. The client sends the request again with the text. This is a
   * protocol of Apollo, not of the specification, and Apollo iOS sends the text only after a 2xx
   * status. The response must not be cached, because the document may be known at the next request.
   */
  unknownDocument: { graphql: 200, json: 200, headers: { 'cache-control': 'no-store' } },
  refusedDocument: { graphql: 400, json: 400, headers: { 'cache-control': 'no-store' } },
  syntaxError: { graphql: 400, json: 200 },
  /** The document breaks a rule or exceeds a limit. */
  invalid: { graphql: 422, json: 200 },
  /**
   * The document has no operation with the requested name. Or it has several operations, and the
   * request contains no name.
   */
  unknownOperation: { graphql: 422, json: 200 },
  unsupportedOperation: { graphql: 422, json: 200 },
  /** A result without `data`, because the variables are invalid. */
  invalidVariables: { graphql: 422, json: 200 },
} satisfies Record<string, Answered>;

export type Outcome = keyof typeof OUTCOMES;

/**
 * Returns true if an outcome counts as an error. An unknown document does not count, because the
 * client repeats the request with the document's text.
 */
export function isError(outcome: Outcome): boolean {
  return outcome !== 'data' && outcome !== 'unknownDocument';
}

/** Reason phrases for statuses that Node.js does not know. */
const NAMES: Readonly<Record<number, string>> = { 294: 'Partial Success' };

/** The option `jsonStatus`: the status of errors for clients that accept only JSON. */
export type JsonStatus = 'ok' | 'exact';

export interface Head {
  readonly status: number;
  readonly statusText?: string | undefined;
  readonly type: JsonType;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export function headOf(outcome: Outcome, accepted: JsonType, jsonStatus: JsonStatus): Head {
  const { graphql, json, headers }: Answered = OUTCOMES[outcome];
  if (accepted === JSON_TYPE && (jsonStatus === 'ok' || graphql < 300)) {
    return { status: json, type: JSON_TYPE, headers };
  }
  return { status: graphql, statusText: NAMES[graphql], type: GRAPHQL_TYPE, headers };
}

/** A request that is rejected without being executed. */
export class Refusal {
  constructor(
    readonly outcome: Outcome,
    readonly errors: readonly GraphQLError[],
  ) {}
}

export function refuse(outcome: Outcome, message: string, code?: string): Refusal {
  return new Refusal(outcome, [new GraphQLError(message, code ? { extensions: { code } } : {})]);
}
