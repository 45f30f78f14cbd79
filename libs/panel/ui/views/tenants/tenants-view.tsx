import { Page } from '../../parts/blocks.js';
import { tenants, useResource } from '../../state/resource.js';
import { Loaded } from '../loaded.js';
import { Question } from './tenant-question.js';
import { Known, Refusals } from './tenant-tables.js';
import { Verdict } from './tenant-verdict.js';

/** Which tenant does a request belong to, and why? */
export function TenantsView() {
  useResource(tenants, 5000);
  return (
    <Loaded resource={tenants} title="Tenants">
      {(view) => (
        <Page
          title="Which tenant would this request be?"
          intro="Describe a request. Each strategy reads it in order. The handler does not run."
        >
          <div class="tsplit">
            <Question />
            <Verdict view={view} />
          </div>
          <div class="tsplit after">
            <Known view={view} />
            <Refusals view={view} />
          </div>
        </Page>
      )}
    </Loaded>
  );
}
