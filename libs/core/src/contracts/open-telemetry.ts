import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Span } from '@opentelemetry/api';

type OpenTelemetryApi = typeof import('@opentelemetry/api');

/** Not the API's own type, because type declarations must not require an optional package. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** The API stores the registered SDK under this key, which all copies of the API share. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

let api: OpenTelemetryApi | undefined;
let loading: Promise<void> | undefined;

/**
 * Returns the module `@opentelemetry/api` if an SDK is registered, or else undefined. If an SDK is
 * registered at startup, the module is loaded at startup. Otherwise, the first call after the
 * registration loads the module.
 */
export function openTelemetry(): object | undefined {
  return registeredApi();
}

function registeredApi(): OpenTelemetryApi | undefined {
  if (!(REGISTERED in globalThis)) return undefined;
  if (api === undefined) void loadOpenTelemetry();
  return api;
}

/** Called at startup, so the first request is traced. */
async function loadOpenTelemetry(): Promise<void> {
  if (!(REGISTERED in globalThis)) return;
  loading ??= import('@opentelemetry/api').then(
    (loaded) => {
      api = loaded;
    },
    () => new Logger('OpenTelemetry').warn(MISSING),
  );
  await loading;
}

const MISSING =
  'An OpenTelemetry SDK is registered, but the package "@opentelemetry/api" cannot be loaded, so ' +
  'Fledge records no spans. Run "npm install @opentelemetry/api".';

/** The name and scope of a span. */
export interface SpanStart {
  /** Name of the package. */
  readonly scope: string;
  readonly name: string;
  /** The kind is `server` for work that a remote client requested. @default 'internal' */
  readonly kind?: 'internal' | 'server';
  readonly attributes?: SpanAttributes;
}

/** The span of a running function. */
export interface RunningSpan {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed. */
  fail(error: unknown): void;
}

/**
 * Runs a function in a span. The span ends when the function returns or its promise settles.
 * Without an SDK, there is no span. Errors are recorded and rethrown.
 * @param run receives the span, or undefined without an SDK
 */
export function inSpan<T>(start: SpanStart, run: (span?: RunningSpan) => T): T {
  const otel = registeredApi();
  if (otel === undefined) return run();
  const { scope, name, attributes = {} } = start;
  const kind = start.kind === 'server' ? otel.SpanKind.SERVER : otel.SpanKind.INTERNAL;
  return otel.trace.getTracer(scope).startActiveSpan(name, { kind, attributes }, (span): T => {
    const running = runningOf(span, otel);
    const failed = (error: unknown): never => {
      running.fail(error);
      span.end();
      throw error;
    };
    try {
      const result = run(running);
      if (!(result instanceof Promise)) {
        span.end();
        return result;
      }
      return result.then((value: unknown) => {
        span.end();
        return value;
      }, failed) as T;
    } catch (error) {
      return failed(error);
    }
  });
}

function runningOf(span: Span, { SpanStatusCode }: OpenTelemetryApi): RunningSpan {
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail(error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
      span.setAttribute('error.type', error instanceof Error ? error.name : '_OTHER');
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

@Injectable()
export class OpenTelemetryLoader implements OnModuleInit {
  onModuleInit(): Promise<void> {
    return loadOpenTelemetry();
  }
}
