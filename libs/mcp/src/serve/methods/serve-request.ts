import type { JsonSchema } from '../../publish/decorators/author-schema.js';
import type { EndpointOptions } from '../../mcp.defaults.js';
import type { ResolvedMcpAuth } from '../../options/auth-checks.js';
import { isScope } from '../../options/option-rules.js';
import { ErrorCode, RequestFault } from '../protocol/json-rpc.js';
import { insufficientScope, RefusalFault } from '../protocol/refusals.js';
import { type MethodAnswer, outcomeOf } from './answer.js';
import { type ClientRequest, hasScopes, requiredScopes, type Target } from './client-request.js';
import type { McpMethod } from './methods.js';
import type { Operations } from './operations.js';
import { type ParamsCheck, paramsCheck } from './params-check.js';

export interface MethodTable<Request extends ClientRequest> {
  readonly methods: ReadonlyMap<string, McpMethod<Request>>;
  readonly paramsFault: ParamsCheck;
  readonly operations: Operations;
  /** Undefined if the transport has no tokens. Scopes are then not checked. */
  readonly auth: Pick<ResolvedMcpAuth, 'metadataUrl' | 'requiredScopes'> | undefined;
}

/** @param own the methods of the protocol version, without methods of extensions */
export function methodTable<Request extends ClientRequest>(
  { transport, auth }: EndpointOptions,
  operations: Operations,
  own: ReadonlyMap<string, McpMethod<Request>>,
  revision: string,
): MethodTable<Request> {
  const methods = new Map(own);
  const schemas = new Map<string, JsonSchema>();
  const checked = transport === 'http' ? (auth ?? NO_AUTH) : undefined;
  for (const [name, { run, params }] of operations.addedMethods(revision)) {
    const wrapped = own.get(name) ?? missing;
    methods.set(name, (request) =>
      run(
        request,
        () => wrapped(request),
        (scopes) => refuseMissingScopes(request, scopes, checked),
      ),
    );
    if (params) schemas.set(name, params);
  }
  return {
    methods,
    paramsFault: paramsCheck(operations.validatorOf, methods.keys(), schemas),
    operations,
    auth: checked,
  };
}

const NO_AUTH = { metadataUrl: undefined, requiredScopes: [] };

const missing: McpMethod = () => Promise.reject(methodNotFound());

function methodNotFound(): RequestFault {
  return new RequestFault(ErrorCode.MethodNotFound, 'Method not found');
}

/** The returned promise never rejects. */
export function serveRequest<Request extends ClientRequest>(
  request: Request,
  table: MethodTable<Request>,
): void | Promise<void> {
  const method = table.methods.get(request.method);
  if (!method) return request.fail(methodNotFound());
  const fault = table.paramsFault(request);
  if (fault !== undefined) return request.fail(new RequestFault(ErrorCode.InvalidParams, fault));
  const target = table.operations.targetOf(request);
  if (!(target instanceof Promise)) return runMethod(method, request, target, table);
  return target.then(
    (found) => runMethod(method, request, found, table),
    (error: unknown) => request.fail(error),
  );
}

function runMethod<Request extends ClientRequest>(
  method: McpMethod<Request>,
  request: Request,
  target: Target | undefined,
  { operations, auth }: MethodTable<Request>,
): void | Promise<void> {
  let running: Promise<MethodAnswer>;
  try {
    if (target) {
      request.caller.watch?.found();
      refuseMissingScopes(request, requiredScopes(target), auth);
    }
    request.target = target;
    request.begin();
    // The client may have disconnected while the function `visible` ran.
    if (request.isOver) return;
    running = method(request);
  } catch (error) {
    return request.fail(error);
  }
  operations.running.set(request, true);
  return running.then(
    (answer) => {
      operations.running.delete(request);
      try {
        const { watch } = request.caller;
        if (watch) watch.reported = outcomeOf(answer);
        request.answer(answer);
      } catch (error) {
        request.fail(error);
      }
    },
    (error: unknown) => {
      operations.running.delete(request);
      request.fail(error);
    },
  );
}

/**
 * Clients may request a new token with only the scopes in the error. So the error also contains the
 * scopes of the endpoint, and up to MCP 2025-11-25 all scopes that the client already has. Later
 * clients add these scopes themselves (SEP-2350).
 * @throws RefusalFault if the caller lacks a scope
 */
function refuseMissingScopes(
  { caller: { principal }, revision }: ClientRequest,
  scopes: readonly string[],
  auth: MethodTable<never>['auth'],
): void {
  if (!auth || hasScopes(principal, scopes)) return;
  const kept = revision < '2026-07-28' ? (principal?.scopes ?? []) : auth.requiredScopes;
  const requested = new Set([...kept.filter(isScope), ...scopes]);
  throw new RefusalFault(insufficientScope(scopes, auth.metadataUrl, [...requested]));
}
