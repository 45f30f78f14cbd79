import type { ClientGrpcProxy } from '@nestjs/microservices';
import { TenantOptionError } from '../../tenant.errors.js';
import { type GrpcMetadata, stampedGrpcMetadata } from './grpc-metadata.js';
import type { Stamp } from './stamped-client.js';

/**
 * Adds the current tenant to the metadata of each call of a gRPC client. It is a transformer of calls and not
 * an interceptor, because the interceptors of one call replace those of its client.
 * @throws TenantOptionError if a service of the client was made before
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

/** What the client has, protected by TypeScript. */
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
    `The gRPC service ${services.join(', ')} was made before TenantMicroservicesModule could add the ` +
      'tenant to its calls. Call client.getService() in onModuleInit() or later.',
  );
}
