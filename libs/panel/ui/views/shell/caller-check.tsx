import { useSignal } from '@preact/signals';
import { Button, Select, same } from '@fledge-internal/ui/controls';
import type { CheckedCaller } from '../../../src/panel.api.js';
import { callMcp } from '../../api/mcp-call.js';
import { post, reasonOf } from '../../api/panel-api.js';
import { plural } from '../../format/number.js';
import { headersOpen } from '../../state/dialogs.js';
import { callers, tools } from '../../state/resource.js';
import { sentHeaders } from '../../state/settings.js';

/** The result of one part of a check. */
interface Finding {
  readonly text: string;
  readonly failed: boolean;
}

/** Checks the headers: calls a route and lists the tools with them. */
export function CallerCheck() {
  const routes = callers.data.value?.routes ?? [];
  const chosen = useSignal<string | undefined>(undefined);
  const route = chosen.value ?? routes[0];
  const found = useSignal<readonly Finding[]>([]);
  const check = async (): Promise<void> => {
    found.value = await Promise.all([
      ...(route === undefined ? [] : [finding(askedRoute(route))]),
      finding(seenTools()),
    ]);
  };
  return (
    <>
      <div class="row wrap">
        <div class="grow">
          {route !== undefined && (
            <Select
              label="Route to check"
              options={same(routes)}
              value={route}
              onChange={(value) => (chosen.value = value)}
            />
          )}
        </div>
        <Button onClick={() => void check()}>Check</Button>
        <Button look="pri" onClick={() => (headersOpen.value = false)}>
          Done
        </Button>
      </div>
      <div role="status">
        {found.value.map(({ text, failed }, at) => (
          <p key={at} class={`small ${failed ? 'err' : 'sub'}`}>
            {text}
          </p>
        ))}
      </div>
    </>
  );
}

function finding(asked: Promise<Finding>): Promise<Finding> {
  return asked.catch((error: unknown) => ({ text: reasonOf(error), failed: true }));
}

async function askedRoute(route: string): Promise<Finding> {
  const headers = Object.fromEntries(
    sentHeaders.value.map(({ name, value }) => [name.trim(), value]),
  );
  const answer = await post('checkCaller', { route, headers });
  return { text: `GET ${route}: ${textOf(answer)}`, failed: answer.status >= 400 };
}

function textOf({ status, user, tenant, message }: CheckedCaller): string {
  const who = user === undefined ? 'no user' : `user ${user}`;
  const where = tenant === undefined ? 'no tenant' : `tenant ${tenant}`;
  return `${status}, ${who}, ${where}${message === undefined ? '.' : `: ${message}`}`;
}

async function seenTools(): Promise<Finding> {
  await (tools.data.peek() ?? tools.load());
  const view = tools.data.peek();
  if (!view?.installed || view.endpoint === undefined) return { text: '', failed: false };
  const target = { endpoint: view.endpoint, headers: sentHeaders.value };
  const { result } = await callMcp(target, 'tools/list', {});
  const { tools: seen } = result;
  const count = Array.isArray(seen) ? seen.length : 0;
  return { text: `The MCP endpoint shows ${plural(count, 'tool')}.`, failed: false };
}
