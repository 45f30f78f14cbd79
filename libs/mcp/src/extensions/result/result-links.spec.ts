import { describe, expect, it } from '@jest/globals';
import { type LinkedResult, linkUri, partOf, ResultLinks } from './result-links.js';

function textOf(...parts: string[]): LinkedResult {
  return {
    tool: 'tool',
    owner: 'ada',
    contents: { kind: 'text', parts, bytes: parts.join('').length },
  };
}

describe('ResultLinks', () => {
  it('finds an answer for its owner until it expires', () => {
    let now = 0;
    const links = new ResultLinks({ linkTtlMs: 100, maxLinks: 5, linkBytes: 100 }, () => now);
    const uri = linkUri(links.add(textOf('one', 'two')) ?? '', 2);
    expect(uri).toMatch(/^fledge-result:\/\/[0-9a-f]{32}\/2$/);
    expect(links.find(uri, 'ada')).toMatchObject({ tool: 'tool' });
    expect(links.find(uri, 'eve')).toBeUndefined();
    now = 99;
    expect(links.find(uri, 'ada')).toBeDefined();
    now = 100;
    expect(links.find(uri, 'ada')).toBeUndefined();
  });

  it.each([
    'fledge-result://00000000000000000000000000000000/1',
    'fledge-result://__proto__/1',
    'tasks://1',
    '',
  ])('finds nothing at %s', (uri) => {
    expect(
      new ResultLinks({ linkTtlMs: 100, maxLinks: 5, linkBytes: 100 }).find(uri, 'ada'),
    ).toBeUndefined();
  });

  it('removes the oldest answers if there are too many, or if they are too large together', () => {
    const links = new ResultLinks({ linkTtlMs: 100, maxLinks: 2, linkBytes: 10 }, () => 0);
    const uris = ['aaaa', 'bbbb', 'cccc'].map((text) => linkUri(links.add(textOf(text)) ?? '', 1));
    const isKept = () => uris.map((uri) => links.find(uri, 'ada') !== undefined);
    expect(isKept()).toEqual([false, true, true]);
    links.add(textOf('dddddddd'));
    expect(isKept()).toEqual([false, false, false]);
    expect(links.add(textOf('x'.repeat(11)))).toBeUndefined();
  });

  it('forgets expired answers when another one comes', () => {
    let now = 0;
    const links = new ResultLinks({ linkTtlMs: 100, maxLinks: 5, linkBytes: 10 }, () => now);
    links.add(textOf('aaaaaaaaaa'));
    now = 100;
    const uri = linkUri(links.add(textOf('bbbb')) ?? '', 1);
    links.add(textOf('cccc'));
    expect(links.find(uri, 'ada')).toBeDefined();
  });
});

describe('partOf', () => {
  const uri = (part: number | string) => `fledge-result://${'0'.repeat(32)}/${part}`;

  it('says where the next part is, and that the last one is the last', () => {
    const text = (part: number) => partOf(uri(part), textOf('one', 'two'))?.contents[0]?.text;
    expect(text(1)).toBe(`one\n(part 1 of 2; the next part is ${uri(2)})`);
    expect(text(2)).toBe('two\n(part 2 of 2)');
    expect(partOf(uri(3), textOf('one', 'two'))).toBeUndefined();
  });

  it('has one part of binary content', () => {
    const contents = { kind: 'blob', data: 'AAAA', mimeType: 'image/png', bytes: 4 } as const;
    const image: LinkedResult = { tool: 'tool', owner: 'ada', contents };
    expect(partOf(uri(1), image)?.contents).toEqual([
      { uri: uri(1), mimeType: 'image/png', blob: 'AAAA' },
    ]);
    expect(partOf(uri(2), image)).toBeUndefined();
  });
});
