import { isRecord, parsedJson } from '@fledge-internal/ui/json';
import {
  ACTION_URLS,
  PANEL_API,
  type PanelProblem,
  type PanelRequests,
  type PanelViewOf,
} from '../../src/panel.api.js';

/** A request that was rejected or got no response. The message is a sentence for the user. */
export class RequestError extends Error {}

/** Reads a view of the panel's JSON API. The address is relative to the page. */
export async function readView<Name extends keyof PanelViewOf>(
  name: Name,
): Promise<PanelViewOf[Name]> {
  return (await answerOf(`${PANEL_API}/${name}`, {})) as PanelViewOf[Name];
}

export async function post<Name extends keyof PanelRequests>(
  name: Name,
  body: PanelRequests[Name]['body'],
): Promise<PanelRequests[Name]['answer']> {
  const answer = await answerOf(ACTION_URLS[name], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer as PanelRequests[Name]['answer'];
}

async function answerOf(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetchOrExplain(url, init);
  const answer = parsedJson(await response.text());
  if (response.ok && answer !== undefined) return answer;
  throw new RequestError(
    isProblem(answer) ? answer.message : `The application answered ${response.status}.`,
  );
}

/** @throws RequestError if the application cannot be reached */
export async function fetchOrExplain(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { cache: 'no-store', ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new RequestError('The application does not answer. Check that it is running.');
  }
}

function isProblem(answer: unknown): answer is PanelProblem {
  return isRecord(answer) && typeof answer['message'] === 'string';
}

/** Returns what went wrong, as a sentence for the user. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
