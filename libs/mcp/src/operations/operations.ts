import { Injectable } from '@nestjs/common';
import type { Caller } from '../calls/caller.js';
import { getMcpToolMeta } from '../decorators/mcp-tool.decorator.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import type { Operation } from '../catalogue/operation.js';
import {
  type ArgumentValidatorCompiler,
  createArgumentValidator,
} from '../arguments/argument-validator.js';
import { Completer } from './completer.js';
import type { JsonObject } from '../messages/json-rpc.js';
import { isRecord } from '../schema/json-schema.js';
import { OperationRunner } from './operation-runner.js';
import { type ParamsCheck, paramsCheck } from './params-check.js';
import { PromptGetter } from './prompt-getter.js';
import { ResourceReader } from './resource-reader.js';
import { ToolCaller } from './tool-caller.js';

/** What the server says it can do (MCP 2025-11-25, `ServerCapabilities`). No list ever changes. */
export interface McpCapabilities {
  readonly tools: Empty;
  readonly logging: Empty;
  readonly resources?: { readonly subscribe: true };
  readonly prompts?: Empty;
  readonly completions?: Empty;
}

type Empty = Record<string, never>;

/** Everything that answers requests, whatever revision and transport they came by. */
@Injectable()
export class Operations {
  /** Of no meaning before `prepare()`. */
  capabilities: McpCapabilities = { tools: {}, logging: {} };
  /** Every scope that something published asks for. Empty before `prepare()`. */
  scopes: readonly string[] = [];
  /** Milliseconds the longest call may take, questions to the client aside. Zero before `prepare()`. */
  longestCallMs = 0;
  private validatorOf: ArgumentValidatorCompiler = () => () => undefined;

  constructor(
    readonly tools: ToolCaller,
    readonly resources: ResourceReader,
    readonly prompts: PromptGetter,
    readonly completer: Completer,
    private readonly runner: OperationRunner,
  ) {}

  /**
   * Takes what the application publishes. Call it once, at boot.
   * @throws ToolSchemaError for a hand-written schema that no validator can be made of
   */
  async prepare(catalogue: Catalogue): Promise<void> {
    const { operations } = catalogue;
    const validatorOf = (this.validatorOf = await createArgumentValidator());
    this.runner.prepare(operations, validatorOf, isHandWritten);
    this.tools.prepare(catalogue, validatorOf);
    this.resources.prepare(catalogue);
    this.prompts.prepare(catalogue);
    this.completer.prepare(catalogue);
    this.scopes = [...new Set(operations.flatMap(({ scopes }) => scopes))];
    this.longestCallMs = Math.max(0, ...operations.map(({ timeoutMs }) => timeoutMs));
    this.capabilities = {
      tools: {},
      logging: {},
      ...(!this.resources.isEmpty && { resources: { subscribe: true } }),
      ...(!this.prompts.isEmpty && { prompts: {} }),
      ...(operations.some(({ kind }) => kind === 'completion') && { completions: {} }),
    };
  }

  /** What checks the parameters of these methods. Call it after `prepare()`. */
  paramsCheck(methods: Iterable<string>): ParamsCheck {
    return paramsCheck(this.validatorOf, methods);
  }

  /** The scopes that a message needs: those of what it names, where the caller may know of that. */
  async scopesFor(message: unknown, caller: Caller): Promise<readonly string[]> {
    if (this.scopes.length === 0 || !isRecord(message) || !isRecord(message['params'])) return [];
    const named = await this.namedBy(message['method'], message['params'], caller);
    return named?.scopes ?? [];
  }

  private async namedBy(
    method: unknown,
    { name, uri, ref }: JsonObject,
    caller: Caller,
  ): Promise<Operation | undefined> {
    if (method === 'tools/call' && typeof name === 'string') return this.tools.find(name, caller);
    if (method === 'prompts/get' && typeof name === 'string') {
      return this.prompts.find(name, caller);
    }
    if (typeof uri === 'string' && RESOURCE_METHODS.has(method)) {
      return (await this.resources.find(uri, caller))?.resource;
    }
    if (method === 'completion/complete' && isRecord(ref)) {
      return typeof ref['name'] === 'string'
        ? this.prompts.find(ref['name'], caller)
        : this.resources.findTemplate(String(ref['uri']), caller);
    }
    return undefined;
  }
}

const RESOURCE_METHODS = new Set<unknown>([
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
]);

function isHandWritten({ kind, route }: Operation): boolean {
  return kind === 'tool' && getMcpToolMeta(route.handler)?.inputSchema !== undefined;
}
