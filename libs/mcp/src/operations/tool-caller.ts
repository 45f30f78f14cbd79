import { Logger } from '@nestjs/common';
import { type Caller, mcpRequestOf } from '../calls/caller.js';
import type { Peer } from '../calls/peer.js';
import type { Dispatcher, RunOutcome } from '../calls/dispatcher.js';
import type { Awaitable, PublishedList } from '../catalogue/published-list.js';
import type { Tool } from '../catalogue/tool.js';
import type { CallWatch } from '../observe/call-watch.js';
import type { ArgumentValidatorCompiler } from '../arguments/argument-validator.js';
import { isTooDeep, type JsonObject, shortened } from '../messages/json-rpc.js';
import { toolErrorOf } from '../messages/call-answer.js';
import { type Answer, answerOf } from './answer.js';
import { parsedJson } from './response-body.js';
import { extendList } from './extended-list.js';
import { ArgumentsFault, type NamedExtension, type RunCall, type ToolCall } from './extension.js';
import { type CallableLocalTool, compileLocalTools } from './local-tools.js';
import { StructuredContent } from './structured-content.js';
import { outputCheck } from './output-check.js';
import { type ChangeAnswer, type WrappedTool, wrapTools } from './wrapped-calls.js';
import { errorResult, routeErrorIn, type ToolResult, toolResultOf } from './tool-result.js';

/** A tool that a client can call. */
export type CallableTool = Tool | CallableLocalTool;

/** Wraps a call inside the extensions. */
type Innermost<Other> = (call: ToolCall, next: RunCall) => ReturnType<RunCall<Other>>;

/** Runs tools, for every revision and transport. */
export class ToolCaller {
  /** What `tools/list` returns. */
  readonly listed: PublishedList<Tool>;
  private readonly logger = new Logger('McpModule');
  private readonly counts = { calls: 0, errors: 0 };
  private readonly checkOutput: ReturnType<typeof outputCheck>;
  private readonly localTools: ReadonlyMap<string, CallableLocalTool> | undefined;
  /** Sentences for the error about an unknown tool. */
  private readonly advice: string;
  private readonly structured: StructuredContent;
  /** True if calls of a tool may become tasks. */
  readonly hasTasks: boolean;
  private readonly wrapped: ReadonlyMap<Tool, WrappedTool>;

  constructor(
    readonly published: PublishedList<Tool>,
    private readonly dispatcher: Dispatcher,
    validatorOf: ArgumentValidatorCompiler,
    extensions: readonly NamedExtension[],
  ) {
    const warn = (warning: string) => this.logger.warn(warning);
    this.checkOutput = outputCheck(validatorOf, warn);
    this.listed = extendList(published, extensions);
    const local = extensions.flatMap(({ tools = [] }) => tools);
    this.localTools = compileLocalTools(local, validatorOf);
    this.advice = extensions.map(({ unknownTool: text }) => (text ? `. ${text}` : '')).join('');
    this.hasTasks = published.all.some(({ task }) => task !== undefined);
    this.wrapped = wrapTools(published.all, extensions);
    this.structured = new StructuredContent(validatorOf, warn);
  }

  /** Calls of known tools since boot, and how many of them failed. */
  get metrics(): { readonly calls: number; readonly errors: number } {
    return { ...this.counts };
  }

  /** Finds a tool by name. Undefined if it does not exist or is hidden from the caller. */
  find(name: string, caller: Caller): Awaitable<CallableTool | undefined> {
    return this.localTools?.get(name) ?? this.published.find(name, mcpRequestOf(caller));
  }

  /**
   * Calls a tool. Rejects only if an extension rejects the call, or the server failed.
   * @param innermost wraps the call inside the extensions
   */
  call<Other = never>(
    tool: CallableTool,
    args: JsonObject,
    peer: Peer,
    innermost?: Innermost<Other>,
  ): ReturnType<RunCall<Other>> {
    if (tool.kind === 'local') return this.answerHere(tool, args, peer);
    const wrapped = tool.extended && this.wrapped.get(tool);
    return wrapped || innermost
      ? this.runWrapped(tool, { args, peer }, wrapped, innermost)
      : this.run(tool, args, peer);
  }

  private async runWrapped<Other>(
    tool: Tool,
    call: ToolCall,
    wrapped: WrappedTool | undefined,
    innermost: Innermost<Other> | undefined,
  ): ReturnType<RunCall<Other>> {
    const run: RunCall = ({ args, peer }) =>
      this.run(
        tool,
        args,
        peer,
        wrapped && ((result, response) => wrapped.change(result, response, { ...call, peer })),
      );
    const next: RunCall<Other> = innermost ? (inner) => innermost(inner, run) : run;
    try {
      return await (wrapped ? wrapped.around(call, next) : next(call));
    } catch (error) {
      if (!(error instanceof ArgumentsFault)) throw error;
      this.counts.calls++;
      return this.answerOf(tool, { kind: 'refused', fault: error.message }, call.peer);
    }
  }

  /** Validates the arguments and runs the route. Does not reject for invalid input from a client. */
  private run(
    tool: Tool,
    args: JsonObject,
    peer: Peer,
    change?: ChangeAnswer,
  ): Promise<Answer<ToolResult>> {
    this.counts.calls++;
    if (tool.task?.required && !peer.startTask) return this.refuseWithoutTasks(tool, args, peer);
    return this.dispatcher
      .run(tool, args, peer)
      .then((outcome) => this.answerOf(tool, outcome, peer, change));
  }

  /** The error text for an unknown tool. Long names are shortened. */
  unknown(name: string): string {
    const message = `Unknown tool: ${shortened(name)}${this.advice}`;
    this.logger.debug(message);
    return message;
  }

  /** Answers the call of a tool that has no route. */
  private async answerHere(
    tool: CallableLocalTool,
    args: JsonObject,
    peer: Peer,
  ): Promise<Answer<ToolResult>> {
    this.counts.calls++;
    peer.caller.watch?.runs(tool, args);
    const result = await tool.run(args, peer);
    if (result.isError) this.counts.errors++;
    return reported(tool, { kind: 'result', result }, result, peer);
  }

  /** For clients of revisions that have no error for it. */
  private refuseWithoutTasks(
    tool: Tool,
    args: JsonObject,
    peer: Peer,
  ): Promise<Answer<ToolResult>> {
    this.counts.errors++;
    peer.caller.watch?.runs(tool, args);
    const result = errorResult(
      `"${tool.name}" needs a client that knows io.modelcontextprotocol/tasks.`,
    );
    return Promise.resolve(reported(tool, { kind: 'result', result }, result, peer));
  }

  private answerOf(
    tool: Tool,
    outcome: RunOutcome,
    peer: Peer,
    change?: ChangeAnswer,
  ): Answer<ToolResult> {
    if (outcome.kind === 'refused') {
      this.counts.errors++;
      const message = `Invalid arguments for "${tool.name}": ${outcome.fault}`;
      const result = errorResult(message);
      return reported(tool, answerOf(peer, result), result, peer);
    }
    const whole = toolResultOf(tool, outcome, (warning) => this.logger.warn(warning));
    const result =
      outcome.kind === 'response'
        ? this.structured.addTo(
            change ? change(whole, outcome.response) : whole,
            tool,
            outcome.response,
            peer.structured,
          )
        : whole;
    const answer = answerOf(peer, result);
    if (answer.kind === 'result') {
      if (result.isError) this.counts.errors++;
      this.checkOutput(tool, result);
    }
    return reported(tool, answer, whole, peer);
  }
}

/**
 * Tells the call's watch how it ended, if it is watched. Returns the answer.
 * @param whole the result before anything was left out: secrets in a cut text are not found
 */
function reported(
  tool: CallableTool,
  answer: Answer<ToolResult>,
  whole: ToolResult,
  { caller: { watch } }: Peer,
): Answer<ToolResult> {
  if (watch === undefined) return answer;
  watch.reported = factsOf(answer);
  if (watch.span?.wantsResult && answer.result) {
    watch.result = tool.redactResult(whole.structuredContent ?? valueOf(whole));
  }
  return answer;
}

/** The JSON of a result without structured content, or its content blocks. */
function valueOf({ content }: ToolResult): unknown {
  const [first] = content;
  if (content.length !== 1 || first?.type !== 'text') return content;
  return isTooDeep(first.text) ? first.text : (parsedJson(first.text) ?? first.text);
}

function factsOf(answer: Answer<ToolResult>): NonNullable<CallWatch['reported']> {
  if (answer.kind === 'input-required') return { outcome: 'input-required' };
  const { result } = answer;
  if (!result.isError) return { outcome: 'ok' };
  return toolErrorOf(result.content, routeErrorIn(result)?.code);
}
