// The tool of ../../../task.mjs, as xmcp finds tools: one file each.
import { answerTo, CreateTask, DESCRIPTION, TOOL } from '../../../task.mjs';

export const schema = CreateTask.shape;
export const metadata = { name: TOOL, description: DESCRIPTION };

export default function createTask(task: object) {
  return answerTo(task);
}
