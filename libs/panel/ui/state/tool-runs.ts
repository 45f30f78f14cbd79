import { computed, signal } from '@preact/signals';
import type { PanelCall } from '../../src/panel.api.js';
import { callMcp, type McpAnswer } from '../api/mcp-call.js';
import { CLIENT_NAME } from '../api/mcp-message.js';
import { reasonOf } from '../api/panel-api.js';
import type { Arguments } from '../format/tool-request.js';
import { allCalls } from './calls.js';
import { tools } from './resource.js';
import { sentHeaders } from './settings.js';

/** The last run of a tool in this tab. */
export type Run =
  | { readonly kind: 'busy'; readonly since: number; readonly cancel: () => void }
  | {
      readonly kind: 'done' | 'asks';
      readonly answer: McpAnswer;
      readonly args: Arguments;
      /** Id of the last call before this run. */
      readonly after: number;
    }
  | { readonly kind: 'failed'; readonly reason: string };

export const runs = signal<Readonly<Record<string, Run | undefined>>>({});
/** The arguments that were typed for each tool. */
export const drafts = signal<Readonly<Record<string, Arguments>>>({});

/** Sets the arguments of a tool's form. */
export function draft(tool: string, args: Arguments): void {
  drafts.value = { ...drafts.value, [tool]: args };
}

function settle(tool: string, run: Run | undefined): void {
  runs.value = { ...runs.value, [tool]: run };
}

/**
 * Runs a tool through the MCP endpoint. `answers` are the answers to the questions of the previous
 * run.
 */
export async function runTool(
  tool: string,
  args: Arguments,
  answers: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const view = tools.data.value;
  const { endpoint } = (view?.installed && view.tools.find(({ name }) => name === tool)) || {};
  if (endpoint === undefined) return;
  const control = new AbortController();
  const after = allCalls.value.at(-1)?.id ?? 0;
  const since = Date.now();
  settle(tool, { kind: 'busy', since, cancel: () => control.abort() });
  try {
    const target = {
      endpoint,
      headers: sentHeaders.value,
      signal: control.signal,
    };
    const answer = await callMcp(target, 'tools/call', { name: tool, arguments: args, ...answers });
    settle(tool, { kind: answer.questions.length > 0 ? 'asks' : 'done', answer, args, after });
  } catch (failure) {
    settle(
      tool,
      control.signal.aborted ? undefined : { kind: 'failed', reason: reasonOf(failure) },
    );
  }
}

/** Answers the questions of a tool and runs it again with them. */
export function answerQuestions(
  tool: string,
  action: 'accept' | 'decline' | 'cancel',
  contents: Readonly<Record<string, Arguments>>,
): void {
  const run = runs.value[tool];
  if (run?.kind !== 'asks') return;
  const inputResponses = Object.fromEntries(
    run.answer.questions.map(({ key }) => [
      key,
      action === 'accept' ? { action, content: contents[key] ?? {} } : { action },
    ]),
  );
  const { requestState } = run.answer;
  void runTool(tool, run.args, {
    inputResponses,
    ...(requestState !== undefined && { requestState }),
  });
}

/** The recorded call of the last run of each tool: the newest call of the panel that matches. */
export const recorded = computed<ReadonlyMap<string, PanelCall>>(() => {
  const found = new Map<string, PanelCall>();
  for (const [tool, run] of Object.entries(runs.value)) {
    if (run?.kind !== 'done') continue;
    const call = allCalls.value.findLast(
      ({ id, tool: name, client }) =>
        id > run.after && name === tool && client?.startsWith(CLIENT_NAME),
    );
    if (call) found.set(tool, call);
  }
  return found;
});
