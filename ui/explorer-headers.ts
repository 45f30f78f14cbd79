import type { Signal } from '@preact/signals';
import { stored } from './stored.js';

/**
 * The headers that the explorer of an endpoint sends, as JSON text. They are credentials, so they are kept until the tab is
 * closed. The panel sets them before it opens the explorer.
 * @param path of the endpoint, as the application knows it
 */
export function explorerHeaders(path: string): Signal<string> {
  return stored(
    () => sessionStorage,
    `graphql.${path}.headers`,
    (value) => (typeof value === 'string' ? value : ''),
  );
}
