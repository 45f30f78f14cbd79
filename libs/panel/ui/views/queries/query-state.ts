import { signal } from '@preact/signals';
import type { PanelQueryAnswer, QueryRouteView } from '../../../src/panel.api.js';
import { type AppAnswer, sendToApp } from '../../api/app-request.js';
import { post, reasonOf } from '../../api/panel-api.js';
import { EMPTY_DRAFT, filledPath, type QueryDraft, queryText } from '../../format/query-url.js';
import { sentHeaders } from '../../state/settings.js';

type ByRoute<Value> = Readonly<Record<string, Value>>;

const drafts = signal<ByRoute<QueryDraft>>({});
/** Values of path parameters, by route. */
export const pathValues = signal<ByRoute<ByRoute<string>>>({});

/** The response to the last query of a route, and how the route parsed it. */
export interface Answered {
  readonly answer?: AppAnswer;
  readonly parsed?: PanelQueryAnswer;
  readonly fault?: string;
}

export const answers = signal<ByRoute<Answered>>({});

export function draftOf(route: string): QueryDraft {
  return drafts.value[route] ?? EMPTY_DRAFT;
}

export function changeDraft(route: string, part: Partial<QueryDraft>): void {
  drafts.value = { ...drafts.value, [route]: { ...draftOf(route), ...part } };
}

/** Returns the address of the query, relative to the page. */
export function builtUrl(route: QueryRouteView): string {
  const query = queryText(draftOf(route.key));
  const path = filledPath(route.url, pathValues.value[route.key] ?? {});
  return query === '' ? path : `${path}?${query}`;
}

/** Sends the query to the route, and reads from the panel how the route parses it. */
export async function sendQuery(route: QueryRouteView): Promise<void> {
  const query = queryText(draftOf(route.key));
  try {
    const [answer, parsed] = await Promise.all([
      sendToApp({ url: builtUrl(route), method: route.verb, headers: sentHeaders.value }),
      post('parseQuery', { route: route.key, query }),
    ]);
    answers.value = { ...answers.value, [route.key]: { answer, parsed } };
  } catch (error) {
    answers.value = { ...answers.value, [route.key]: { fault: reasonOf(error) } };
  }
}
