import { type Context, context, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { callSpans } from './call-spans.js';
import { PanelSpanProcessor } from './panel-span-processor.js';

const provider = new NodeTracerProvider({ spanProcessors: [new PanelSpanProcessor()] });
const mcp = provider.getTracer('@fledge/mcp');
const orm = provider.getTracer('orm');

const callSpan = () =>
  mcp.startSpan('tools/call', { attributes: { 'mcp.method.name': 'tools/call' } }, ROOT_CONTEXT);
const below = (span: Span): Context => trace.setSpan(context.active(), span);

let stop: () => void;
beforeEach(() => {
  stop = callSpans.read();
});
afterEach(() => stop());

describe('the spans of a call', () => {
  it('are given to the record of the same turn only', async () => {
    callSpan().end();
    await Promise.resolve();
    expect(callSpans.takeEnded()).toBeUndefined();
    callSpan().end();
    expect(callSpans.takeEnded()?.spans).toHaveLength(1);
    expect(callSpans.takeEnded()).toBeUndefined();
  });

  it('are those below it: no others, and not of other methods', () => {
    const call = callSpan();
    const other = mcp.startSpan('tools/list', { attributes: { 'mcp.method.name': 'tools/list' } });
    orm.startSpan('of no call').end();
    orm.startSpan('of the list', {}, below(other)).end();
    orm.startSpan('of the call', {}, below(call)).end();
    call.end();
    const trace = callSpans.takeEnded();
    other.end();
    expect(trace?.spans.map(({ name }) => name)).toEqual(['tools/call', 'of the call']);
    expect(callSpans.takeEnded()).toBeUndefined();
  });

  it('are cut in number and length', () => {
    const call = callSpan();
    for (let i = 0; i < 1_000; i++) orm.startSpan('x'.repeat(5_000), {}, below(call)).end();
    call.end();
    const spans = callSpans.takeEnded()!.spans;
    expect(spans).toHaveLength(100);
    expect(spans[99]!.name).toHaveLength(121);
  });

  it('are forgotten, the oldest first, where calls do not end', () => {
    const calls = Array.from({ length: 501 }, callSpan);
    calls[0]!.end();
    expect(callSpans.takeEnded()).toBeUndefined();
    calls[1]!.end();
    expect(callSpans.takeEnded()).toBeDefined();
    for (const call of calls) call.end();
  });

  it('are not kept while no panel reads, and not after it', () => {
    const call = callSpan();
    stop();
    call.end();
    callSpan().end();
    expect(callSpans.takeEnded()).toBeUndefined();
  });

  it('complete a trace when the last of them ended', () => {
    const call = callSpan();
    const late = orm.startSpan('late', {}, below(call));
    call.end();
    const found = callSpans.takeEnded()!;
    const closed = jest.fn();
    found.whenClosed(closed);
    expect(closed).not.toHaveBeenCalled();
    late.end();
    expect(closed).toHaveBeenCalledTimes(1);
    expect(found.spans.map(({ name, depth }) => [name, depth])).toEqual([
      ['tools/call', 0],
      ['late', 1],
    ]);
  });
});

describe('PanelSpanProcessor', () => {
  it('warns once, and throws nothing, where it cannot read the spans of an SDK', () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const processor = new PanelSpanProcessor();
    for (let i = 0; i < 3; i++) processor.onStart({} as never);
    processor.onEnd({} as never);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(callSpans.isFed).toBe(false);
    warn.mockRestore();
  });
});
