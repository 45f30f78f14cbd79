import type { Route } from '../discovery/route.js';
import type { ToolInput } from '../schema/tool-input.js';

/** A route made callable: all a call needs, built once at boot. */
export interface Operation {
  readonly kind: 'tool' | 'resource' | 'prompt' | 'completion';
  /** Name in messages. */
  readonly name: string;
  readonly route: Route;
  readonly input: ToolInput;
  /** Milliseconds a call may take. */
  readonly timeoutMs: number;
  /** What the caller's token must be good for. */
  readonly scopes: readonly string[];
}
