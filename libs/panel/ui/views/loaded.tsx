import type { ComponentChildren } from 'preact';
import { Button } from '@fledge-internal/ui/controls';
import type { View } from '../../src/panel.api.js';
import { Empty, Note, Skeleton } from '../parts/blocks.js';
import type { Resource } from '../state/resource.js';

interface LoadedProps<Data extends object> {
  readonly resource: Resource<View<Data>>;
  /** The title of the view. Only screen readers get it until the data is there. */
  readonly title: string;
  readonly children: (data: Data) => ComponentChildren;
}

/** A view of data. Also handles loading, errors, and a missing package. */
export function Loaded<Data extends object>({ resource, title, children }: LoadedProps<Data>) {
  const data = resource.data.value;
  const error = resource.error.value;
  if (data?.installed) return <>{children(data)}</>;
  return (
    <div class="view">
      <h1 class="sr">{title}</h1>
      {data ? (
        <Empty title={`${title} are not part of this application`}>
          <p>{data.cure}</p>
        </Empty>
      ) : error === undefined ? (
        <Skeleton />
      ) : (
        <Unreadable reason={error} retry={() => void resource.load()} />
      )}
    </div>
  );
}

/** Shown if a view could not be read. Has a button to try again. */
export function Unreadable(props: { readonly reason: string; readonly retry: () => void }) {
  return (
    <div class="pad">
      <Note look="err" title="This view could not be read">
        {props.reason}
      </Note>
      <p class="after">
        <Button onClick={props.retry}>Try again</Button>
      </p>
    </div>
  );
}
