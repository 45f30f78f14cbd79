import { stored } from '@fledge-internal/ui/stored';
import { endpointPath } from '../api/endpoint.js';

const SIDES = ['docs', 'history', 'none'] as const;

export type Side = (typeof SIDES)[number];

/** The content of the pane on the right. In narrow windows the pane is closed at first. */
export const side = stored<Side>(
  () => localStorage,
  `graphql.${endpointPath}.side`,
  (value) =>
    SIDES.find((known) => known === value) ??
    (matchMedia('(max-width: 900px)').matches ? 'none' : 'docs'),
);

export function toggleSide(one: Side): void {
  side.value = side.value === one ? 'none' : one;
}
