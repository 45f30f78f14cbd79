// Promises of the documentation, tried by somebody who wants to break them.
import { defineAdapter, type IntrospectionReport } from '@fledge/core';
import { CallObservers } from '@fledge/core/packages';
import { PanelModule } from '@fledge/panel';
import { afterEach, describe, expect, it } from '@jest/globals';
import { call, closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { callRecord } from './support/call-record.js';

const reporting = (name: string, state: Record<string, unknown>) =>
  defineAdapter({
    name,
    build: () => ({
      introspect: () => ({ protocolVersion: 1, name, kind: 'adapter', state, metrics: {} }),
    }),
  })();

afterEach(async () => {
  process.env['NODE_ENV'] = 'test';
  await closeAll();
});

describe.each(platforms)('the panel on $name', (platform) => {
  it('is off if main.ts sets NODE_ENV=production after it imported the module', async () => {
    const imports = [PanelModule.forRoot({ callers: [{ name: 'Ada', headers: {} }] })];
    process.env['NODE_ENV'] = 'production';
    const { url } = await serve({ imports }, platform);
    expect((await call(`${url}/_fledge/api/callers`)).status).toBe(404);
  });

  it('does not start with enabled, if NODE_ENV=production is set late', async () => {
    const imports = [PanelModule.forRoot({ enabled: true })];
    process.env['NODE_ENV'] = 'production';
    await expect(serve({ imports }, platform)).rejects.toThrow('`authorize` is not set');
  });

  it('does not start twice, because only the authorize of one would be called', async () => {
    const imports = [PanelModule.forRoot({ authorize: () => false }), PanelModule.forRoot()];
    await expect(serve({ imports }, platform)).rejects.toMatchObject({
      code: 'PANEL_BAD_OPTION',
      message: expect.stringContaining('PanelModule is imported twice'),
    });
  });

  it('shows the other snapshots if one cannot be sent as JSON', async () => {
    const endless: Record<string, unknown> = {};
    endless['self'] = endless;
    const imports = [
      PanelModule.forRoot(),
      reporting('Big', { rows: 1n }),
      reporting('Endless', endless),
      reporting('Good', { rows: 1 }),
    ];
    const { url } = await serve({ imports }, platform);
    const report = (await call(`${url}/_fledge/api/snapshots`)).body as IntrospectionReport;
    expect(report.adapters.map(({ name, state }) => [name, state])).toEqual([
      ['PanelAdapter', { path: '/_fledge' }],
      ['Big', {}],
      ['Endless', {}],
      ['Good', { rows: 1 }],
    ]);
    expect(report.errors.map(({ name }) => name)).toEqual(['Big', 'Endless']);
    expect(report.errors[0]?.message).toMatch(/^The snapshot cannot be sent as JSON: .*BigInt/);
    const { body: app } = await call(`${url}/_fledge/api/app`);
    expect(app).toMatchObject({ counts: { snapshots: 4, snapshotErrors: 2 } });
  });

  it('keeps a bounded size of each call, whatever clients send', async () => {
    const { app, url } = await serve({ imports: [PanelModule.forRoot()] }, platform);
    const large = Array.from({ length: 40 }, () => ({ ['n'.repeat(3_000)]: 'x'.repeat(3_000) }));
    const record = callRecord({ principal: 'p'.repeat(100_000), arguments: { large } });
    void app.get(CallObservers, { strict: false }).notify(record);
    const stream = await fetch(`${url}/_fledge/api/calls/stream?after=0`);
    let text = '';
    for await (const chunk of stream.body as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      if (text.includes('"resultBytes":1}')) break;
    }
    expect(text.length).toBeGreaterThan(100_000);
    expect(text.length).toBeLessThan(105_000);
  });
});
