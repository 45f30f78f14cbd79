// Needs RabbitMQ.
// @golevelup/nestjs-rabbitmq on a real RabbitMQ. In a process of its own: Jest cannot load what requires Nest.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { LONGEST_WAIT_MS } from '../../../../test/support/longest-wait.js';

const APP = fileURLToPath(new URL('../rabbitmq/app.mjs', import.meta.url));

describe('TenantRabbitModule', () => {
  let answers: Record<string, unknown>;
  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', APP], {
      timeout: LONGEST_WAIT_MS,
    });
    answers = JSON.parse(stdout) as Record<string, unknown>;
  });

  it('carries the tenant before guards, for the right one of 50', () => {
    expect(answers).toMatchObject({ wrong: [], guards: true });
  });

  it('keeps headers of the application beside the tenant', () => {
    expect(answers).toMatchObject({ beside: 'a a', afterGuards: ['guard a'] });
  });

  it('replaces the tenant and the support person in copied headers', () => {
    expect(answers).toMatchObject({ copied: 'a by undefined' });
  });

  it('answers refused requests, which reach no guard', () => {
    expect(answers).toMatchObject({
      refused: [
        'error TENANT_NOT_RESOLVED',
        'error TENANT_SUSPENDED',
        'error TENANT_INVALID',
        'error TENANT_MISMATCH',
      ],
      seenOfRefused: [],
    });
  });

  it('logs a refused event, which is not delivered again', () => {
    expect(answers).toMatchObject({
      noted: ['guard b', 'noted 2 b'],
      warnings: [
        'The event "exchange- noted" was dropped. ' +
          'TENANT_NOT_RESOLVED: Tenant could not be resolved.',
      ],
    });
  });

  it('handles a batch without a tenant, because it holds messages of several', () => {
    expect(answers).toMatchObject({ batch: ['batch of 2 nobody'] });
  });
});
