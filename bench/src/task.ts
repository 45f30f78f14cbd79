/** The arguments of every call, and the answer to them: the route's body, and a tool's text. */
export const TASK = { title: 'Write the benchmark', priority: 'high', dueDate: '2026-12-01' };
export const ANSWER = JSON.stringify({ id: 1, status: 'open', ...TASK });
export const TOOL = 'tasks_create';

/** How the answer reads within the JSON of a result. */
const QUOTED_ANSWER = `"type":"text","text":${JSON.stringify(ANSWER)}`;

/** Whether a response has the result of the tool. */
export function isResult(body: string): boolean {
  return body.includes(QUOTED_ANSWER) && !body.includes('"isError":true');
}
