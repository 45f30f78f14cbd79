import { bindEvents } from '@fledge/core/packages';
import type { MessageHandler, ServerGrpc, ClientGrpcProxy } from '@nestjs/microservices';
import { throwError } from 'rxjs';
import { METADATA_KEYS } from '../../scope/tenant-metadata.js';
import { TenantOptionError } from '../../tenant.errors.js';
import type { Stamp } from '../stamp.js';
import { refusedCall } from './message-refusal.js';
import type { MessageScopes } from './message-scopes.js';
import { wrappedHandler } from './scoped-handler.js';

/** The properties of grpc-js' calls that are used here. */
interface GrpcCall {
  readonly metadata: GrpcMetadata;
  emit(event: 'error', error: unknown): boolean;
}

export function scopeGrpcServer(server: ServerGrpc, scopes: MessageScopes): void {
  const addHandler = server.addHandler.bind(server);
  server.addHandler = (pattern: unknown, handler: MessageHandler, ...rest) =>
    addHandler(pattern, scopedCallHandler(handler, scopes), ...rest);
}

/**
 * Wraps a handler. Nest calls handlers with `(data, metadata, call)`. Handlers of
 * `@GrpcStreamCall()` are called with `(call)` or `(call, callback)`.
 */
function scopedCallHandler(handler: MessageHandler, scopes: MessageScopes): MessageHandler {
  return wrappedHandler(handler, (...args) => {
    const isPassedThrough = args.length < 3;
    const call = (isPassedThrough ? args[0] : args[2]) as GrpcCall;
    const handle = (): unknown => {
      // Listeners of the call, for example for a disconnect, run in the scope of the handler.
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

/** The methods of grpc-js' `Metadata` that are used here. */
interface GrpcMetadata {
  get(key: string): readonly unknown[];
  set(key: string, value: string): void;
  remove(key: string): void;
  clone(): GrpcMetadata;
}

/**
 * Replaces the tenant in a copy. Calls of several tenants may share the original metadata, and it
 * may be the metadata of a call that was received.
 */
function stampedGrpcMetadata(
  metadata: GrpcMetadata,
  stamp: Readonly<Record<string, string>>,
): GrpcMetadata {
  const copy = metadata.clone();
  for (const key of METADATA_KEYS) copy.remove(key);
  // Percent-encoded, because gRPC metadata must be ASCII.
  for (const [key, value] of Object.entries(stamp)) copy.set(key, encodeURIComponent(value));
  return copy;
}

function tenantInGrpcMetadata(metadata: GrpcMetadata): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const key of METADATA_KEYS) {
    const values = metadata.get(key);
    // If there are several values, the list is passed on, and `runFrom()` rejects it.
    if (values.length > 0) found[key] = values.length === 1 ? decoded(values[0]) : values;
  }
  return found;
}

function decoded(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return decodeURIComponent(value);
  } catch {
    // `runFrom()` rejects null, because null is not a string.
    return null;
  }
}

/**
 * Uses a call transformer instead of an interceptor, because interceptors of a call replace the
 * client's interceptors.
 * @throws TenantOptionError if a service of the client already exists
 */
export function stampGrpcClient(client: ClientGrpcProxy, stamp: Stamp): void {
  const kept = client as unknown as GrpcClient;
  if (kept.clients.size > 0) throw madeTooEarly([...kept.clients.keys()]);
  const { options } = kept;
  const transform = options.channelOptions?.callInvocationTransformer;
  // Copied, because clients may share their options.
  kept.options = {
    ...options,
    channelOptions: {
      ...options.channelOptions,
      callInvocationTransformer: (call) => stampedCall(transform?.(call) ?? call, stamp),
    },
  };
}

/** Protected members of the client. */
interface GrpcClient {
  options: { readonly channelOptions?: ChannelOptions };
  readonly clients: ReadonlyMap<string, unknown>;
}

interface ChannelOptions {
  readonly callInvocationTransformer?: (call: Call) => Call;
}

interface Call {
  readonly metadata: GrpcMetadata;
}

function stampedCall(call: Call, stamp: Stamp): Call {
  const marks = stamp();
  if (Object.keys(marks).length === 0) return call;
  return { ...call, metadata: stampedGrpcMetadata(call.metadata, marks) };
}

function madeTooEarly(services: readonly string[]): TenantOptionError {
  return new TenantOptionError(
    `The gRPC service ${services.join(', ')} was created before TenantMicroservicesModule could add the ` +
      'tenant to its calls. Call client.getService() in onModuleInit() or later.',
  );
}
