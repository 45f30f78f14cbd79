import { answerFactsOf } from '../../messages/call-answer.js';
import type { CallWatch } from '../../observe/call-watch.js';
import type { McpStoredTask } from '../../options/task-store.js';

/** Ends the record of a call that became a task, with the end of the task. */
export async function endWatch(
  watch: CallWatch | undefined,
  { status, result, error }: McpStoredTask,
): Promise<void> {
  if (!watch) return;
  const bytes = Buffer.byteLength(JSON.stringify(result ?? error ?? {}));
  const facts = answerFactsOf(result ? { result } : { error });
  await watch.settle(
    status === 'cancelled' || !facts ? { outcome: 'cancelled', bytes } : { ...facts, bytes },
  );
}
