import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Attributes, Span } from '@opentelemetry/api';

export type OpenTelemetryApi = typeof import('@opentelemetry/api');

/** The key under which every copy of the API finds the registered SDK. Set by the first registration. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

let api: OpenTelemetryApi | undefined;
let loading: Promise<void> | undefined;

/**
 * Returns the OpenTelemetry API once an SDK has registered with it; otherwise undefined. The package is
 * loaded at boot if an SDK is registered by then, and otherwise with the first call after that.
 */
export function openTelemetry(): OpenTelemetryApi | undefined {
  if (!(REGISTERED in globalThis)) return undefined;
  if (api === undefined) void loadOpenTelemetry();
  return api;
}

/** Loads the API if an SDK is registered. Call it at boot, so that the first request is traced. */
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
  'An OpenTelemetry SDK is registered, but the package "@opentelemetry/api" cannot be loaded, so Fledge ' +
  'records no spans: npm install @opentelemetry/api';

/** What a span is called, and by which package it is made. */
export interface SpanStart {
  /** Name of the package. */
  readonly scope: string;
  readonly name: string;
  readonly attributes: Attributes;
}

/**
 * Runs a function in a span that ends with it, or with its promise. Without an SDK it only runs the
 * function. What the function throws is recorded and thrown on.
 * @param run gets the span, to set attributes; undefined without an SDK
 */
export function inSpan<T>({ scope, name, attributes }: SpanStart, run: (span?: Span) => T): T {
  const otel = openTelemetry();
  if (otel === undefined) return run();
  return otel.trace.getTracer(scope).startActiveSpan(name, { attributes }, (span): T => {
    const failed = (error: unknown): never => {
      span.setStatus({ code: otel.SpanStatusCode.ERROR, message: messageOf(error) });
      span.setAttribute('error.type', error instanceof Error ? error.name : '_OTHER');
      span.end();
      throw error;
    };
    try {
      const result = run(span);
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Loads the API at boot. */
@Injectable()
export class OpenTelemetryLoader implements OnModuleInit {
  onModuleInit(): Promise<void> {
    return loadOpenTelemetry();
  }
}
