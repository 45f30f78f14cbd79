import { Logger } from '@nestjs/common';
import { type Caller, mcpRequestOf } from '../calls/caller.js';
import type { Peer } from '../calls/peer.js';
import type { Dispatcher, RunOutcome } from '../calls/dispatcher.js';
import type { Awaitable, ListForm, ListJson, PublishedList } from '../catalogue/published-list.js';
import type { Tool } from '../catalogue/tool.js';
import type { CallWatch } from '../observe/call-watch.js';
import type { ArgumentValidatorCompiler } from '../arguments/argument-validator.js';
import { isTooDeep, type JsonObject, shortened } from '../messages/json-rpc.js';
import { toolErrorOf } from '../messages/call-answer.js';
import { type Answer, answerOf } from './answer.js';
import { parsedJson } from './response-body.js';
import { extendList } from './extended-list.js';
import type { AroundCall, NamedExtension, RunCall, ToolCall } from './extension.js';
import { type CallableLocalTool, compileLocalTools } from './local-tools.js';
import { ResultLinks } from './result-links.js';
import { ResultShaper } from './result-shaper.js';
import { pathsOf } from './selected-members.js';
import { outputCheck } from './output-check.js';
import { without } from '../schema/json-schema.js';
import { wrapCalls } from './wrapped-calls.js';
import { errorResult, routeErrorIn, type ToolResult, toolResultOf } from './tool-result.js';

/** A tool that a client can call. */
export type CallableTool = Tool | CallableLocalTool;

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
  /** Undefined: no tool keeps the rest of its answers. */
  readonly links: ResultLinks | undefined;
  private readonly shaper: ResultShaper;
  /** True if calls of a tool may become tasks. */
  readonly hasTasks: boolean;
  private readonly wraps: ReadonlyMap<Tool, AroundCall>;

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
    this.links = linksFor(published.all);
    this.hasTasks = published.all.some(({ task }) => task !== undefined);
    this.wraps = wrapCalls(published.all, extensions);
    this.shaper = new ResultShaper(validatorOf, this.links, dispatcher, warn);
  }

  /** Calls of known tools since boot, and how many of them failed. */
  get metrics(): { readonly calls: number; readonly errors: number } {
    return { ...this.counts };
  }

  /** JSON of the first page of the `tools/list` result. */
  listJson(caller: Caller, form: ListForm): Awaitable<ListJson> {
    return this.listed.json(mcpRequestOf(caller), form);
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
    innermost?: (call: ToolCall, next: RunCall) => ReturnType<RunCall<Other>>,
  ): ReturnType<RunCall<Other>> {
    if (tool.kind === 'local') return this.answerHere(tool, args, peer);
    const around = tool.extended && this.wraps.get(tool);
    if (around === undefined && innermost === undefined) return this.run(tool, args, peer);
    return this.runWrapped(tool, { args, peer }, around, innermost);
  }

  private async runWrapped<Other>(
    tool: Tool,
    call: ToolCall,
    around: AroundCall | undefined,
    innermost: ((call: ToolCall, next: RunCall) => ReturnType<RunCall<Other>>) | undefined,
  ): ReturnType<RunCall<Other>> {
    const run: RunCall = ({ args, peer }) => this.run(tool, args, peer);
    const next: RunCall<Other> = innermost ? (inner) => innermost(inner, run) : run;
    return around ? await around(call, next) : await next(call);
  }

  /** Validates the arguments and runs the route. Does not reject for invalid input from a client. */
  private run(tool: Tool, args: JsonObject, peer: Peer): Promise<Answer<ToolResult>> {
    this.counts.calls++;
    if (tool.task?.required && !peer.startTask) return this.refuseWithoutTasks(tool, args, peer);
    if (tool.shape?.select !== undefined) return this.callSelected(tool, args, peer);
    return this.dispatcher
      .run(tool, args, peer)
      .then((outcome) => this.answerOf(tool, outcome, peer));
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

  /** Takes the argument that selects members out of those of the route. */
  private callSelected(tool: Tool, args: JsonObject, peer: Peer): Promise<Answer<ToolResult>> {
    const name = tool.shape?.select ?? '';
    const paths = pathsOf(Object.hasOwn(args, name) ? args[name] : undefined);
    const running: Promise<RunOutcome> = paths
      ? this.dispatcher.run(tool, without(args, name), peer)
      : Promise.resolve({ kind: 'refused', fault: `/${name} must be a list of texts.` });
    return running.then((outcome) => this.answerOf(tool, outcome, peer, paths));
  }

  private answerOf(
    tool: Tool,
    outcome: RunOutcome,
    peer: Peer,
    paths?: readonly string[],
  ): Answer<ToolResult> {
    if (outcome.kind === 'refused') {
      this.counts.errors++;
      const message = `Invalid arguments for "${tool.name}": ${outcome.fault}`;
      const result = errorResult(message);
      return reported(tool, answerOf(peer, result), result, peer);
    }
    const whole = toolResultOf(tool, outcome, (warning) => this.logger.warn(warning));
    const isShaped = tool.shape !== undefined || tool.output?.source === 'declared';
    const result =
      isShaped && outcome.kind === 'response'
        ? this.shaper.shape(whole, tool, outcome.response, { peer, paths })
        : whole;
    const answer = answerOf(peer, result);
    if (answer.kind === 'result') {
      if (result.isError) this.counts.errors++;
      this.checkOutput(tool, result);
    }
    return reported(tool, answer, whole, peer);
  }
}

/** The store of the tools that keep the rest of their answers. Undefined if there are none. */
function linksFor(tools: readonly Tool[]): ResultLinks | undefined {
  const limit = tools.find(({ shape }) => shape?.limit?.overflow === 'link')?.shape?.limit;
  return limit && new ResultLinks(limit);
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
