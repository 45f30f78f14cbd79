import type { Peer } from '../call/peer.js';
import type { CallResponse } from '../call/recording.js';
import type { Tool } from '../../publish/catalogue/tool.js';
import {
  type AroundCall,
  type CallAnswer,
  CallFault,
  type ChangeResult,
  type NamedExtension,
  type RunCall,
  type ToolCall,
} from './extension.js';
import type { ToolResult } from '../results/tool-result.js';

/** Functions of extensions that wrap a tool's calls or change its results. */
export interface WrappedTool {
  /** Undefined if the extensions only change results. */
  readonly around: AroundCall | undefined;
  /** Undefined if no extension changes results. */
  readonly change: ChangeResult | undefined;
  /** Changes results after structured content was added. Undefined if no extension does this. */
  readonly finish: ChangeResult | undefined;
}

export type RefuseCall = (tool: Tool, fault: CallFault, peer: Peer) => CallAnswer;

type ChangeAnswer = (result: ToolResult, response: CallResponse) => ToolResult;

export interface ResultChanges {
  readonly change?: ChangeAnswer | undefined;
  readonly finish?: ChangeAnswer | undefined;
}

export function changesIn({ change, finish }: WrappedTool, call: ToolCall): ResultChanges {
  return {
    change: change && ((result, response) => change(result, response, call)),
    finish: finish && ((result, response) => finish(result, response, call)),
  };
}

/** @param refuse converts a `CallFault` to an error result */
export function wrapTools(
  tools: readonly Tool[],
  extensions: readonly NamedExtension[],
  refuse: RefuseCall,
): ReadonlyMap<Tool, WrappedTool> {
  const wrapped = new Map<Tool, WrappedTool>();
  for (const tool of tools) {
    const { extended } = tool;
    if (extended === undefined) continue;
    const concerned = extensions.filter(({ name }) => extended.has(name));
    const arounds = concerned
      .flatMap(({ name, around }) => around?.(tool, extended.get(name)) ?? [])
      .map((around) => catching(around, tool, refuse));
    const changes = concerned.flatMap(
      ({ name, result }) => result?.(tool, extended.get(name)) ?? [],
    );
    const finishes = concerned.flatMap(
      ({ name, finish }) => finish?.(tool, extended.get(name)) ?? [],
    );
    if (arounds.length + changes.length + finishes.length === 0) continue;
    wrapped.set(tool, { around: nest(arounds), change: chain(changes), finish: chain(finishes) });
  }
  return wrapped;
}

/** Outer wrappers receive an error result, so that a task ends with the result of its call. */
function catching(around: AroundCall, tool: Tool, refuse: RefuseCall): AroundCall {
  return async (call, next) => {
    try {
      return await around(call, next);
    } catch (error) {
      if (error instanceof CallFault) return refuse(tool, error, call.peer);
      throw error;
    }
  };
}

/** The first wrapper is the outermost. */
function nest(arounds: readonly AroundCall[]): AroundCall | undefined {
  if (arounds.length === 0) return undefined;
  return (call, next) =>
    arounds.reduceRight<RunCall>(
      (inner, around) => (changed) => around(changed, inner),
      next,
    )(call);
}

/** The last change runs first. */
function chain(changes: readonly ChangeResult[]): ChangeResult | undefined {
  if (changes.length === 0) return undefined;
  return (whole, response, call: ToolCall) =>
    changes.reduceRight((result, change) => change(result, response, call), whole);
}
