import { bindEvents } from '@fledge/core/packages';
import type { MessageHandler, ServerGrpc } from '@nestjs/microservices';
import { throwError } from 'rxjs';
import { type GrpcMetadata, tenantInGrpcMetadata } from './grpc-metadata.js';
import { refusedCall } from './message-refusal.js';
import type { MessageScopes } from './message-scopes.js';
import { wrappedHandler } from './scoped-handler.js';

/** The part of grpc-js' calls that is used here. */
interface GrpcCall {
  readonly metadata: GrpcMetadata;
  emit(event: 'error', error: unknown): boolean;
}

/** Makes a gRPC server run its handlers in the tenant of the call's metadata. */
export function scopeGrpcServer(server: ServerGrpc, scopes: MessageScopes): void {
  const addHandler = server.addHandler.bind(server);
  server.addHandler = (pattern: unknown, handler: MessageHandler, ...rest) =>
    addHandler(pattern, scopedCallHandler(handler, scopes), ...rest);
}

/** Nest passes `(data, metadata, call)`; to handlers of `@GrpcStreamCall()` `(call)` or `(call, callback)`. */
function scopedCallHandler(handler: MessageHandler, scopes: MessageScopes): MessageHandler {
  return wrappedHandler(handler, (...args) => {
    const isPassedThrough = args.length < 3;
    const call = (isPassedThrough ? args[0] : args[2]) as GrpcCall;
    const handle = (): unknown => {
      // Listeners of the call, such as of a client that leaves, run in the scope of its handler.
      bindEvents(call);
      return Reflect.apply(handler, undefined, args);
    };
    return scopes.handle(tenantInGrpcMetadata(call.metadata), call, handle, (error) => {
      const refused = refusedCall(error);
      if (!isPassedThrough) return throwError(() => refused);
      const callback = args[1] as ((refused: unknown) => void) | undefined;
      if (callback === undefined) call.emit('error', refused);
      else callback(refused);
      return undefined;
    });
  });
}
