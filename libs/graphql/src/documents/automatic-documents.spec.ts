import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { AutomaticDocuments } from './automatic-documents.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const texts = Array.from({ length: 30_000 }, (_, i) => `query Hello { hello } # ${i}`);

describe('AutomaticDocuments', () => {
  it('keeps 10,000 of 30,000 documents, those used last', () => {
    const documents = new AutomaticDocuments(undefined, () => true);
    for (const text of texts) documents.register(sha256(text), text);
    const kept = texts.filter((text) => documents.find(sha256(text)) !== undefined);
    expect(kept).toEqual(texts.slice(-10_000));
  });

  it('does not keep or store a text of more than 524,288 characters', () => {
    const set = jest.fn();
    const documents = new AutomaticDocuments({ get: () => null, set }, () => true);
    for (const text of ['a'.repeat(524_289), 'a'.repeat(524_288)]) {
      documents.register(sha256(text), text);
    }
    expect(set).toHaveBeenCalledTimes(1);
    expect(documents.find(sha256('a'.repeat(524_288)))).toHaveLength(524_288);
  });

  it('has at most 100 writes under way while a store does not answer, and writes again when it does', async () => {
    jest.useFakeTimers();
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    try {
      const hanging: (() => void)[] = [];
      const set = jest.fn(() => new Promise<void>((resolve) => hanging.push(resolve)));
      const documents = new AutomaticDocuments({ get: () => null, set }, () => true);
      for (const text of texts) documents.register(sha256(text), text);
      await jest.advanceTimersByTimeAsync(1_000);
      documents.register(sha256('{ a }'), '{ a }');
      expect(set).toHaveBeenCalledTimes(100);
      hanging.pop()!();
      await jest.advanceTimersByTimeAsync(0);
      for (const text of ['{ b }', '{ c }']) documents.register(sha256(text), text);
      expect(set).toHaveBeenCalledTimes(101);
      expect(warned).toHaveBeenCalledTimes(1);
    } finally {
      jest.useRealTimers();
      warned.mockRestore();
    }
  });

  it('writes again after writes that failed', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const set = jest.fn<(hash: string, text: string) => void>(() => {
      throw new Error('down');
    });
    const documents = new AutomaticDocuments({ get: () => null, set }, () => true);
    for (const text of texts.slice(0, 100)) documents.register(sha256(text), text);
    await setImmediate();
    documents.register(sha256('{ a }'), '{ a }');
    await setImmediate();
    expect(set).toHaveBeenCalledTimes(101);
    warned.mockRestore();
  });

  it('reads a document once for all that ask at the same time, and again after that', async () => {
    const get = jest.fn(async () => Promise.resolve(null));
    const documents = new AutomaticDocuments({ get, set: () => undefined }, () => true);
    const find = () => documents.find(sha256('{ a }'));
    expect(await Promise.all([find(), find(), find()])).toEqual([undefined, undefined, undefined]);
    expect(get).toHaveBeenCalledTimes(1);
    await find();
    expect(get).toHaveBeenCalledTimes(2);
  });
});
