import { Button } from '@fledge-internal/ui/controls';
import type { SnapshotsView as Snapshots } from '../../src/panel.api.js';
import { clockOf } from '../format/time.js';
import { Empty, Note, Page, Panel, Skeleton } from '../parts/blocks.js';
import { JsonTree } from '../parts/json-tree.js';
import { snapshots, useResource } from '../state/resource.js';
import { Unreadable } from './loaded.js';

/** What do the adapters report? Shows errors first. */
export function SnapshotsView() {
  useResource(snapshots);
  const report = snapshots.data.value;
  const error = snapshots.error.value;
  if (report) return <Report report={report} />;
  return (
    <div class="view">
      <h1 class="sr">Snapshots and errors</h1>
      {error === undefined ? (
        <Skeleton />
      ) : (
        <Unreadable reason={error} retry={() => void snapshots.load()} />
      )}
    </div>
  );
}

function Report({ report }: { readonly report: Snapshots }) {
  const { timestamp, adapters, errors } = report;
  return (
    <Page
      title="Snapshots and errors"
      intro={
        <>
          What each adapter and plugin reports through <code>introspect()</code>. Taken{' '}
          {clockOf(timestamp).slice(0, 8)}.
        </>
      }
      action={<Button onClick={() => void snapshots.load()}>Collect again</Button>}
    >
      {errors.map(({ name, message }) => (
        <div class="before" key={name}>
          <Note look="err" title={`${name} did not answer`}>
            {message}
          </Note>
        </div>
      ))}
      {adapters.length === 0 && (
        <Empty title="Nothing reports">
          <p>Adapters with an introspect() method appear here.</p>
        </Empty>
      )}
      <div class="two">
        {adapters.map(({ name, kind, state, metrics }) => (
          <Panel key={name} title={name} aside={<span class="dim">{kind}</span>}>
            <div class="body">
              {Object.keys(state).length + Object.keys(metrics).length > 0 ? (
                <JsonTree value={{ state, metrics }} open={3} />
              ) : (
                <p class="sub">No snapshot{errors.length > 0 && '. See the error above'}.</p>
              )}
            </div>
          </Panel>
        ))}
      </div>
    </Page>
  );
}
