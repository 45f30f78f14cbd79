import type { Route } from '../routes/route.js';
import type { OperationInput } from '../schema/operation-input.js';

/** A route made callable: all a call needs, built once at boot. */
export interface Operation {
  readonly kind: 'tool' | 'resource' | 'prompt' | 'completion';
  /** Name in messages. */
  readonly name: string;
  readonly route: Route;
  readonly input: OperationInput;
  /** Milliseconds a call may take. */
  readonly timeoutMs: number;
  /** What the caller's token must be good for. */
  readonly scopes: readonly string[];
}
