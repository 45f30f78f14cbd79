import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger, type LoggerService } from '@nestjs/common';
import { NeededModule } from './needed-module.js';

const MINUTES = 180_000;

describe('NeededModule', () => {
  const warnings: string[] = [];
  const environment = process.env['NODE_ENV'];
  beforeEach(() => {
    warnings.length = 0;
    const logger = { warn: (text: string) => void warnings.push(text) } as LoggerService;
    Logger.overrideLogger(logger);
    process.env['NODE_ENV'] = 'development';
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
    process.env['NODE_ENV'] = environment;
  });

  async function listening(run: () => void): Promise<void> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    run();
    await new Promise((resolve) => server.close(resolve));
  }

  it('warns once if the process listens', async () => {
    const needed = new NeededModule('NotesModule', 'Import NotesModule.');
    needed.need();
    needed.need();
    await listening(() => jest.advanceTimersByTime(MINUTES));
    expect(warnings).toEqual(['Import NotesModule.']);
  });

  it.each<[string, (needed: NeededModule) => void]>([
    ['was imported before', (needed) => [needed.import(), needed.need()]],
    ['is imported later', (needed) => [needed.need(), needed.import()]],
    ['has no decorators', () => undefined],
  ])('is silent if the module %s', async (_, run) => {
    run(new NeededModule('NotesModule', 'Import NotesModule.'));
    await listening(() => jest.advanceTimersByTime(MINUTES));
    expect(warnings).toEqual([]);
  });

  it('is silent in tests', async () => {
    process.env['NODE_ENV'] = 'test';
    new NeededModule('NotesModule', 'Import NotesModule.').need();
    await listening(() => jest.advanceTimersByTime(MINUTES));
    expect(warnings).toEqual([]);
  });

  it('stops to look after two minutes', () => {
    new NeededModule('NotesModule', 'Import NotesModule.').need();
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(MINUTES);
    expect(jest.getTimerCount()).toBe(0);
  });
});
