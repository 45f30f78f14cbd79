import { Logger } from '@nestjs/common';
import { count, type OptionTable } from '@fledge-internal/options';
import type { McpExtension } from '../../src/serve/methods/extension.js';

/** The option of the module. */
export interface SlowCallsOption {
  /** Logs calls that take longer than this many milliseconds. @default none */
  readonly slowCalls?: number;
}

const SLOW_CALLS_OPTION = {
  slowCalls: count.optional,
} satisfies OptionTable<SlowCallsOption>;

/** Logs the calls of tools that take long. */
export const slowCalls: McpExtension<number, number> = {
  name: 'slowCalls',
  option: SLOW_CALLS_OPTION.slowCalls,
  scope: 'module',

  // At startup, once for the application: all tools take part.
  publish: () => ({ tool: () => ({ data: true }) }),

  // At startup, for each endpoint.
  create(limitMs, { path }) {
    const logger = new Logger('SlowCalls');
    return Promise.resolve({
      around: (tool) => async (call, next) => {
        const since = performance.now();
        try {
          return await next(call);
        } finally {
          const ms = Math.round(performance.now() - since);
          if (ms > limitMs) logger.warn(`${tool.name} at ${path} took ${ms} ms`);
        }
      },
    });
  },
};
