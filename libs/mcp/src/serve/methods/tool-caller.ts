import { Logger } from '@nestjs/common';
import type { Caller } from '../call/caller.js';
import type { Peer } from '../call/peer.js';
import type { Dispatcher, RunOutcome } from '../call/dispatcher.js';
import type { Awaitable, PublishedList } from '../../publish/catalogue/published-list.js';
import type { ListedTool, Tool } from '../../publish/catalogue/tool.js';
import type { McpToolDefinition } from '../../mcp.definitions.js';
import type { ArgumentValidatorCompiler } from '../../publish/arguments/argument-validator.js';
import { type JsonObject, parsedJson, shortened } from '../protocol/json-rpc.js';
import { type Answer, answerOf, askingAnswer } from './answer.js';
import { cleanerIn, extendTools } from './extended-list.js';
import {
  ArgumentsFault,
  CallFault,
  type NamedExtension,
  type RunCall,
  type ToolCall,
} from './extension.js';
import { withParsedJson } from './json-arguments.js';
import { type CallableLocalTool, compileLocalTools } from './local-tools.js';
import { StructuredContent } from '../results/structured-content.js';
import { changesIn, type ResultChanges, type WrappedTool, wrapTools } from './wrapped-calls.js';
import {
  errorResult,
  type ReadingOptions,
  type ToolResult,
  toolResultOf,
} from '../results/tool-result.js';

export type CallableTool = Tool | CallableLocalTool;

export class ToolCaller {
  /** The entries of `tools/list`. */
  listed!: PublishedList<Tool>;
  private readonly logger = new Logger('McpModule');
  private readonly counts = { calls: 0, errors: 0 };
  private localTools: ReadonlyMap<string, CallableLocalTool> | undefined;
  /** Sentences for the error that an unknown tool causes. */
  private readonly advice: string;
  private readonly structured: StructuredContent;
  private readonly wrapped: ReadonlyMap<Tool, WrappedTool>;
  private readonly reading: ReadingOptions;

  constructor(
    readonly published: PublishedList<Tool>,
    private readonly dispatcher: Dispatcher,
    private readonly validatorOf: ArgumentValidatorCompiler,
    private readonly extensions: readonly NamedExtension[],
  ) {
    const warn = (warning: string) => this.logger.warn(warning);
    this.advice = extensions.map(({ unknownTool: text }) => (text ? `. ${text}` : '')).join('');
    this.wrapped = wrapTools(published.all, extensions, (tool, fault, peer) => {
      this.counts.calls++;
      const { message, meta } = fault;
      const text = fault instanceof ArgumentsFault ? invalidArguments(tool, message) : message;
      return this.refuse(tool, text, peer, meta);
    });
    this.reading = { warn, clean: cleanerIn(extensions) };
    this.structured = new StructuredContent(validatorOf, warn);
    this.refresh();
  }

  /** Reads the tools of the extensions again. */
  refresh(): void {
    const { published, extensions, validatorOf } = this;
    this.listed = extendTools(published, extensions);
    const local = extensions.flatMap(({ tools = [] }) => tools);
    this.localTools = compileLocalTools(local, validatorOf);
  }

  /**
   * The tool list of a client of MCP 2026-07-28 that declares no extensions. Leaves out tools that
   * only find or call other tools, because an application cannot change them.
   */
  get list(): readonly ListedTool[] {
    const entries = this.listed.entriesFor({ structured: 'json', kinds: [] });
    const indirect = this.extensions.flatMap(({ tools = [] }) =>
      tools.filter(({ isIndirect }) => isIndirect).map(({ definition }) => definition.name),
    );
    return (entries as readonly ListedTool[]).filter(({ name }) => !indirect.includes(name));
  }

  /** Calls of existing tools since startup, and the failed calls among them. */
  get metrics(): { readonly calls: number; readonly errors: number } {
    return { ...this.counts };
  }

  /** Returns undefined if the tool does not exist or is hidden from the caller. */
  find(name: string, caller: Caller): Awaitable<CallableTool | undefined> {
    const local = this.localTools?.get(name);
    if (local === undefined) return this.published.find(name, caller.request);
    return local.visibleAs ? this.findVisible(local, local.visibleAs, caller) : local;
  }

  /** Rejects only if an extension rejects the call, or if the server failed. */
  call(tool: CallableTool, given: JsonObject, peer: Peer): ReturnType<RunCall> {
    if (tool.kind === 'local') return this.answerHere(tool, given, peer);
    const args = withParsedJson(given, tool.inputSchema);
    const wrapped = tool.extended && this.wrapped.get(tool);
    return wrapped
      ? this.runWrapped(tool, { args, sent: args, peer }, wrapped)
      : this.run(tool, { args, peer });
  }

  private async findVisible(
    tool: CallableLocalTool,
    definition: McpToolDefinition,
    caller: Caller,
  ): Promise<CallableTool | undefined> {
    const isVisible = await this.published.isVisible(definition, caller.request);
    return isVisible ? tool : undefined;
  }

  private runWrapped(tool: Tool, call: ToolCall, wrapped: WrappedTool): ReturnType<RunCall> {
    const { around } = wrapped;
    const run: RunCall = (inner) =>
      this.run(tool, inner, changesIn(wrapped, { ...call, peer: inner.peer }));
    if (!around) return run(call);
    // Extensions may end the call, and may remove their own arguments.
    call.peer.caller.watch?.runs(tool, call.args);
    return around(call, run);
  }

  private run(
    tool: Tool,
    { args, peer, route }: Pick<ToolCall, 'args' | 'peer' | 'route'>,
    changes?: ResultChanges,
  ): Promise<Answer<ToolResult>> {
    this.counts.calls++;
    return this.dispatcher
      .run(tool, args, peer, route)
      .then((outcome) => this.answerOf(tool, outcome, peer, changes));
  }

  /** Returns the error message for an unknown tool. Long names are shortened. */
  unknown(name: string): string {
    const message = `Unknown tool: ${shortened(name)}${this.advice}`;
    this.logger.debug(message);
    return message;
  }

  /** Runs a tool that an extension provides. */
  private async answerHere(
    tool: CallableLocalTool,
    args: JsonObject,
    peer: Peer,
  ): Promise<Answer<ToolResult>> {
    this.counts.calls++;
    peer.caller.watch?.runs(tool, args);
    const answer = await askingAnswer(peer, () => tool.run(args, peer));
    if (answer.kind === 'result' && answer.result.isError) this.counts.errors++;
    if (answer.result) showResult(tool, answer, answer.result, peer);
    return answer;
  }

  private answerOf(
    tool: Tool,
    outcome: RunOutcome,
    peer: Peer,
    changes?: ResultChanges,
  ): Answer<ToolResult> {
    if (outcome.kind === 'refused') {
      return this.refuse(tool, invalidArguments(tool, outcome.fault), peer);
    }
    let whole = toolResultOf(tool, outcome, this.reading);
    let result = whole;
    if (outcome.kind === 'response') {
      const { response } = outcome;
      whole = this.structured.addExplicit(whole, tool, response);
      const changed = changes?.change ? changes.change(whole, response) : whole;
      result = this.structured.addDeclared(changed, tool, response, peer.structured);
      if (changes?.finish) result = changes.finish(result, response);
    }
    const answer = answerOf(peer, result);
    if (answer.kind === 'result') {
      if (result.isError) this.counts.errors++;
      this.structured.check(result, tool);
    }
    showResult(tool, answer, whole, peer);
    return answer;
  }

  /** The route did not run. */
  private refuse(
    tool: Tool,
    message: string,
    peer: Peer,
    meta?: CallFault['meta'],
  ): Answer<ToolResult> {
    this.counts.errors++;
    const result = { ...errorResult(message), ...(meta && { _meta: meta }) };
    const answer = answerOf(peer, result);
    showResult(tool, answer, result, peer);
    return answer;
  }
}

function invalidArguments({ name }: Tool, fault: string): string {
  return `Invalid arguments for "${name}": ${fault}`;
}

/**
 * Passes the result to the call's watch, if the watch needs the result. Secrets are removed first.
 * @param whole the complete result. In a shortened result, secrets could not be found
 */
function showResult(
  tool: CallableTool,
  answer: Answer<ToolResult>,
  whole: ToolResult,
  { caller: { watch } }: Peer,
): void {
  if (watch?.wantsResult && answer.result) {
    watch.result = tool.redactResult(whole.structuredContent ?? valueOf(whole));
  }
}

/** Returns a single text block as parsed JSON or as text, otherwise the content blocks. */
function valueOf({ content }: ToolResult): unknown {
  const [first] = content;
  if (content.length !== 1 || first?.type !== 'text') return content;
  return parsedJson(first.text) ?? first.text;
}
