import type { Attributes, Context, Span } from '@opentelemetry/api';
import { headersWithout } from '../../serve/call/forwarded-headers.js';
import type { TracedCall } from '../../serve/observe/call-start.js';
import type { CallEnd, CallTrace } from '../../serve/observe/call-trace.js';
import {
  CANCELLED,
  errorAttributes,
  metricAttributes,
  tenantAttributes,
} from './call-attributes.js';
import { type OpenTelemetryApi, recordOperation } from './call-metrics.js';
import type { ResolvedTelemetry } from './telemetry-options.js';

/** The span and trace context of a call. */
export class CallSpan implements CallTrace {
  /** @param span undefined if the trace context is only propagated */
  constructor(
    private readonly otel: OpenTelemetryApi,
    private readonly context: Context,
    private readonly span: Span | undefined,
    private readonly call: TracedCall,
    private readonly options: ResolvedTelemetry,
  ) {}

  get wantsArguments(): boolean {
    return this.options.arguments && this.span !== undefined;
  }

  get wantsResult(): boolean {
    return this.options.results && this.span !== undefined;
  }

  run(step: () => void): void {
    this.otel.context.with(this.context, step);
  }

  headersOf(forwarded: readonly string[]): string[] {
    const { propagation } = this.otel;
    const carrier: Record<string, string> = {};
    propagation.inject(this.context, carrier);
    const kept = headersWithout(forwarded, new Set(propagation.fields()));
    return [...kept, ...Object.entries(carrier).flat()];
  }

  end(end: CallEnd): void {
    const { span, otel, call } = this;
    if (span === undefined) return;
    const { record, code, isKnown } = end;
    const failure = errorAttributes(record, code);
    const errorType = failure['error.type'];
    span.setAttributes({ ...failure, ...tenantAttributes(record), ...this.contentOf(end) });
    if (isKnown && record.kind !== 'resource') span.updateName(`${call.method} ${call.name}`);
    // The server did not fail if the client ended the call.
    if (errorType !== undefined && errorType !== CANCELLED) {
      span.setStatus({ code: otel.SpanStatusCode.ERROR, message: record.error?.text ?? '' });
    }
    span.end();
    const attributes = { ...metricAttributes(call, isKnown), ...failure };
    this.run(() => recordOperation(otel, record.durationMs / 1_000, attributes));
  }

  /** Returns the arguments and results, if the application enabled their recording. */
  private contentOf({ record, result }: CallEnd): Attributes {
    const attributes: Attributes = {};
    const { arguments: args, kind } = record;
    if (this.wantsArguments && args !== undefined) {
      if (kind === 'tool') attributes['gen_ai.tool.call.arguments'] = textOf(args);
      if (kind === 'prompt') {
        for (const [name, value] of Object.entries(args)) {
          attributes[`gen_ai.prompt.variable.${name}`] =
            typeof value === 'string' ? value : textOf(value);
        }
      }
    }
    if (result !== undefined) attributes['gen_ai.tool.call.result'] = textOf(result);
    return attributes;
  }
}

/** Maximum characters of an attribute that contains arguments or results. */
const LONGEST_CONTENT = 8_192;

function textOf(value: unknown): string {
  return JSON.stringify(value).slice(0, LONGEST_CONTENT);
}
