import { useEffect } from 'preact/hooks';
import { Button } from '@fledge-internal/ui/controls';
import { callsInfo, connectCalls, lost } from '../state/calls.js';
import { now } from '../state/clock.js';
import { VIEWS, type ViewId, view } from '../state/navigation.js';
import { app, callers, useResource } from '../state/resource.js';
import { CallsView } from './calls/calls-view.js';
import { GraphqlView } from './graphql-view.js';
import { LintView } from './lint-view.js';
import { QueriesView } from './queries/queries-view.js';
import { ResourcesView } from './resources/resources-view.js';
import { SessionsView } from './sessions/sessions-view.js';
import { HeadersDialog } from './shell/headers-dialog.js';
import { KeysDialog } from './shell/keys-dialog.js';
import { Palette } from './shell/palette.js';
import { Rail } from './shell/rail.js';
import { TopBar } from './shell/top-bar.js';
import { SnapshotsView } from './snapshots-view.js';
import { TenantsView } from './tenants/tenants-view.js';
import { ToolsView } from './tools/tools-view.js';

const COMPONENTS: Readonly<Record<ViewId, () => preact.JSX.Element>> = {
  tools: ToolsView,
  calls: CallsView,
  lint: LintView,
  resources: ResourcesView,
  sessions: SessionsView,
  tenants: TenantsView,
  queries: QueriesView,
  graphql: GraphqlView,
  snapshots: SnapshotsView,
};

/** The whole page. */
export function App() {
  useResource(app, 5000);
  useResource(callers);
  useEffect(() => void connectCalls(), []);
  const current = view.value;
  const label = VIEWS.find(({ id }) => id === current)?.label ?? '';
  const name = app.data.value?.name;
  useEffect(() => {
    document.title = [label, name, 'Fledge'].filter(Boolean).join(' – ');
  }, [label, name]);
  const View = COMPONENTS[current];
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to content
      </a>
      <TopBar />
      <Rail />
      <main id="main" tabIndex={-1}>
        <Lost />
        <View key={current} />
      </main>
      <Palette />
      <HeadersDialog />
      <KeysDialog />
    </>
  );
}

/** Tells the user that the stream of calls disconnected. The calls stay visible. */
function Lost() {
  const state = lost.value;
  if (!state || callsInfo.value === undefined) return null;
  const seconds = Math.max(1, Math.ceil((state.nextTryAt - now.value) / 1000));
  return (
    <div class="banner bad">
      <b role="status">Live updates stopped.</b>
      <span class="grow">Next try in {seconds} s.</span>
      <Button small onClick={() => void connectCalls()}>
        Try now
      </Button>
    </div>
  );
}
