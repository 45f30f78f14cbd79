// Unusual messages over HTTP, whose responses must stay as recorded in recorded/http.json. A case that is meant to
// change is recorded again by `RECORD_MCP=1 npm run test:soak -- libs/mcp/test/soak/recorded.spec.ts`: review the diff of the file.
import { afterAll, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { closeNow } from '../../../../test/support/close-now.js';
import { platforms } from '../../../../test/support/platforms.js';
import { moduleOf } from '../recorded/app.mjs';
import { httpCases } from '../recorded/exchanges.js';
import { runCase } from '../recorded/http.js';
import { Recording, RECORDS } from '../recorded/record.js';

const recording = new Recording(new URL('../recorded/http.json', import.meta.url));

describe.each(platforms)('unusual messages on $name', ({ name: platform, adapter }) => {
  it('are answered as recorded', async () => {
    const app = await NestFactory.create(moduleOf('http'), adapter(), { logger: false });
    await app.listen(0, '127.0.0.1');
    const url = await app.getUrl();
    for (const each of httpCases()) recording.add(platform, each.name, await runCase(url, each));
    await closeNow(app);
    if (!RECORDS) expect(recording.differences(platform).join('\n')).toBe('');
  });
});

afterAll(() => {
  if (RECORDS) recording.write();
});
