import { useSignal } from '@preact/signals';
import { Button } from '@fledge-internal/ui/controls';
import { Copy } from '@fledge-internal/ui/copy';
import { prettyJson } from '@fledge-internal/ui/json';
import type { CallResult } from '../../../src/panel.api.js';
import { post, reasonOf } from '../../api/panel-api.js';
import { JsonTree } from '../../parts/json-tree.js';

/**
 * Shows the response of a tool. It is read when the user requests it, because responses can be
 * large.
 */
export function CallResponse({ id }: { readonly id: number }) {
  /** The response, or why it could not be read. */
  const read = useSignal<CallResult | string | undefined>(undefined);
  const load = async (): Promise<void> => {
    read.value = await post('readResult', { id }).catch(reasonOf);
  };
  const found = read.value;
  if (typeof found === 'string') return <p class="sub">{found}</p>;
  if (!found) {
    return (
      <Button small onClick={() => void load()}>
        Show response
      </Button>
    );
  }
  return (
    <>
      <JsonTree value={found.result} open={3} />
      <Copy label="Copy response" text={() => prettyJson(JSON.stringify(found.result))} />
    </>
  );
}
