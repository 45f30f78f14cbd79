import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readSettings } from './settings.js';

describe('readSettings', () => {
  it('has a default for each variable that is unset or empty', () => {
    const defaults = {
      port: 3000,
      dataFolder: expect.stringMatching(/tasks.\.data$/),
      platform: 'express',
      cursorSecret: expect.stringMatching(/^[0-9a-f]{64}$/),
    };
    expect(readSettings({})).toEqual(defaults);
    expect(readSettings({ PORT: '', TASKS_DATA: '', TASKS_PLATFORM: '' })).toEqual(defaults);
  });

  it('keeps the data in the folder of the app, from any working directory', () => {
    expect(readSettings({}).dataFolder).toBe(join(import.meta.dirname, '..', '.data'));
  });

  it('reads environment variables', () => {
    const env = { PORT: '0', TASKS_DATA: 'memory://', TASKS_PLATFORM: 'fastify' };
    expect(readSettings({ ...env, CURSOR_SECRET: 'of this spec alone' })).toEqual({
      port: 0,
      dataFolder: 'memory://',
      platform: 'fastify',
      cursorSecret: 'of this spec alone',
    });
  });

  it.each(['abc', '-1', '65536', '80.5', '0x50'])('refuses PORT=%s', (PORT) => {
    expect(() => readSettings({ PORT })).toThrow(
      `PORT is "${PORT}". Set it to a number from 0 to 65535.`,
    );
  });

  it('refuses an unknown platform', () => {
    expect(() => readSettings({ TASKS_PLATFORM: 'koa' })).toThrow(
      'TASKS_PLATFORM is "koa". Set it to "express" or "fastify".',
    );
  });
});
