import { stored } from '@fledge-internal/ui/stored';
import { endpointPath } from '../api/endpoint.js';

const SIDES = ['docs', 'history', 'none'] as const;

export type Side = (typeof SIDES)[number];

/** What stands on the right. Narrow windows begin with nothing there. */
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
