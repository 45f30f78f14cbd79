import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { PanelViewOf } from '../../src/panel.api.js';
import { readView, reasonOf } from '../api/panel-api.js';

/** The data of a view, and why it could not be read. If both are set, the data is old. */
export interface Resource<Data> {
  readonly data: ReadonlySignal<Data | undefined>;
  readonly error: ReadonlySignal<string | undefined>;
  load(): Promise<void>;
}

function resourceOf<Name extends keyof PanelViewOf>(name: Name): Resource<PanelViewOf[Name]> {
  const data = signal<PanelViewOf[Name]>();
  const error = signal<string>();
  return {
    data,
    error,
    async load() {
      try {
        data.value = await readView(name);
        error.value = undefined;
      } catch (failure) {
        error.value = reasonOf(failure);
      }
    },
  };
}

export const app = resourceOf('app');
export const tools = resourceOf('tools');
export const lint = resourceOf('lint');
export const resources = resourceOf('resources');
export const sessions = resourceOf('sessions');
export const tenants = resourceOf('tenants');
export const queries = resourceOf('queries');
export const graphql = resourceOf('graphql');
export const snapshots = resourceOf('snapshots');
export const callers = resourceOf('callers');

/**
 * Reads a resource when its view opens.
 * @param everyMs also reads it at this interval while the page is visible
 */
export function useResource<Data>(resource: Resource<Data>, everyMs?: number): void {
  useEffect(() => {
    void resource.load();
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void resource.load();
    }, everyMs);
    return () => clearInterval(timer);
  }, [resource, everyMs]);
}
