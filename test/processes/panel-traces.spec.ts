// The traces of calls in the panel, with the real SDK and the HTTP instrumentation, which must be loaded before `http`:
// in a process of its own, with the built packages and both official clients.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { CallsView, PanelCall } from '@fledge/panel';
import { beforeAll, describe, expect, it } from '@jest/globals';

const app = fileURLToPath(new URL('../panel-traces/app.mjs', import.meta.url));

async function callsOf(platform: string, sampled: '0' | '1') {
  const { stdout } = await promisify(execFile)(process.execPath, [app, platform, sampled]);
  return { stdout, view: JSON.parse(stdout) as CallsView };
}

/** The spans without their times: `  SELECT tasks!` is below two others and failed. */
const drawn = ({ spans = [] }: PanelCall) =>
  spans.map(({ name, depth, failed }) => `${' '.repeat(depth)}${name}${failed ? '!' : ''}`);

describe.each(['express', 'fastify'])('the traces of calls on %s', (platform) => {
  let sent: Awaited<ReturnType<typeof callsOf>>;
  beforeAll(async () => {
    sent = await callsOf(platform, '1');
  });

  it.each(['2025-11-25', '2026-07-28'])(
    'hold the route and its query, by %s, also for calls at one time',
    (revision) => {
      const found = sent.view.calls.filter(
        ({ tool, revision: of }) => tool === 'find' && of === revision,
      );
      expect(found).toHaveLength(4);
      for (const call of found) {
        const { id } = call.arguments as { id: string };
        const mark = id === 'missing' ? '!' : '';
        expect([id, drawn(call)]).toEqual([
          id,
          [`tools/call find${mark}`, ' GET', `  SELECT ${id}${mark}`],
        ]);
        const [top, route, query] = call.spans!;
        expect(top).toMatchObject({ startMs: 0, ms: expect.any(Number) });
        expect(query!.ms).toBeGreaterThan(1);
        expect(query!.ms).toBeLessThanOrEqual(route!.ms);
        expect(query!.startMs).toBeGreaterThanOrEqual(route!.startMs);
      }
    },
  );

  it('have one span where the route did not run, and none of tools/list', () => {
    const unknown = sent.view.calls.filter(({ tool }) => tool === 'unknown');
    expect(unknown.map(drawn)).toEqual([['tools/call'], ['tools/call']]);
    expect([sent.view.total, sent.view.traces]).toEqual([10, true]);
  });

  it('hold no attributes and no messages', () => {
    expect(sent.stdout).not.toContain('hunter2');
  });

  it('are left out of calls that are not sampled', async () => {
    const { view } = await callsOf(platform, '0');
    expect(view.calls).toHaveLength(10);
    expect(view.calls.filter(({ spans }) => spans)).toEqual([]);
  });
});
