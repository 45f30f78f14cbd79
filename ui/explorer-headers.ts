import type { Signal } from '@preact/signals';
import { stored } from './stored.js';

/**
 * The headers that the GraphQL explorer of an endpoint sends, as a JSON text. They are credentials,
 * so they are stored only until the tab is closed. The panel sets them before it opens the
 * explorer.
 * @param path the path of the endpoint in the application
 */
export function explorerHeaders(path: string): Signal<string> {
  return stored(
    () => sessionStorage,
    `graphql.${path}.headers`,
    (value) => (typeof value === 'string' ? value : ''),
  );
}
