import { type FormattedExecutionResult, subscribe } from 'graphql';
import type { ServerOptions } from 'graphql-ws';
import type { OperationResult } from '../http/runtime.js';
import type { OperationArgs } from './running-operation.js';
import type { SocketConnection } from './socket-connection.js';
import type { SocketSetup } from './socket-setup.js';

type Options = ServerOptions<Record<string, unknown>, SocketConnection>;

/** Connects the hooks of graphql-ws to a connection and its operations. */
export function protocolHooks({ limits, protection, tracer, execute }: SocketSetup): Options {
  return {
    connectionInitWaitTimeout: limits.initTimeoutMs,
    onConnect: ({ extra, connectionParams }) => extra.connect(connectionParams),
    onSubscribe: ({ extra }, _id, payload) => extra.begin(payload),
    execute: (args) =>
      (args as OperationArgs).operation.run(() => tracer.run(args, () => execute(args))),
    subscribe: (args) =>
      (args as OperationArgs).operation.run(() =>
        tracer.run<OperationResult>(args, () => subscribe(args)),
      ),
    // oxlint-disable-next-line fledge/few-parameters -- the parameters are those of graphql-ws
    onNext: (_ctx, _id, _payload, args, result) => {
      const { errors, ...rest } = result;
      if (errors === undefined) return;
      const { operation } = args as OperationArgs;
      operation.fail();
      const formatted = operation.within(() => errors.map((error) => protection.format(error)));
      return { ...rest, errors: formatted } as FormattedExecutionResult;
    },
    onError: (_ctx, _id, _payload, errors) => errors.map((error) => protection.format(error)),
  };
}
