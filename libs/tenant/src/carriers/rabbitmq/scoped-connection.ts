import { type AmqpConnection, type MessageHandlerOptions, Nack } from '@golevelup/nestjs-rabbitmq';
import { refusedMessage } from '../microservices/message-refusal.js';
import type { MessageScopes } from '../microservices/message-scopes.js';
import { type Stamp, stamped } from '../stamp.js';

/** The properties of amqplib's messages that are used here. */
interface RabbitMessage {
  readonly properties: { readonly headers?: Readonly<Record<string, unknown>> | undefined };
}

/** Declared here, because an application may not have the types of amqplib. */
interface PublishOptions {
  readonly headers?: object;
}

type Handler = (data: unknown, message?: RabbitMessage, headers?: unknown) => Promise<unknown>;

/** Messages of `request()` are included. */
export function stampConnection(connection: AmqpConnection, stamp: Stamp): void {
  const publish = connection.publish.bind(connection);
  connection.publish = (exchange, routingKey, message, options?: PublishOptions) =>
    publish(exchange, routingKey, message, {
      ...options,
      headers: stamped(options?.headers ?? {}, stamp()),
    });
}

/**
 * A rejected request gets a response. Other rejected messages are not requeued. Batches are not
 * changed, because a batch contains messages of several tenants.
 */
export function scopeConnection(connection: AmqpConnection, scopes: MessageScopes): void {
  const createRpc = connection.createRpc.bind(connection);
  const createSubscriber = connection.createSubscriber.bind(connection);

  connection.createRpc = (handler, options) =>
    createRpc(scoped(handler as Handler, scopes, refusedMessage), options);

  connection.createSubscriber = (handler, options, ...rest) => {
    const reject = (error: unknown) => {
      scopes.logDropped(nameOf(options), error);
      return new Nack(false);
    };
    return createSubscriber(
      scoped(handler as Handler, scopes, reject) as typeof handler,
      options,
      ...rest,
    );
  };
}

function scoped(
  handler: Handler,
  scopes: MessageScopes,
  refuse: (error: unknown) => unknown,
): Handler {
  return (data, message, headers) => {
    const handle = () => handler(data, message, headers);
    return scopes.handle(message?.properties.headers, message, handle, refuse);
  };
}

function nameOf({ exchange, routingKey, queue }: MessageHandlerOptions): string {
  return [exchange, ...[routingKey ?? queue].flat()].filter(Boolean).join(' ');
}
