import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { wordsOf } from './words.js';

describe('wordsOf', () => {
  it.each<[text: string, words: string[]]>([
    ['cancelOrder', ['cancelorder', 'cancel', 'order']],
    ['tasks_list.v2-now', ['task', 'list', 'v2', 'v', '2', 'now']],
    ['HTTPServer', ['httpserver', 'http', 'server']],
    ['oauth2Token', ['oauth2token', 'oauth2', 'token', 'oauth', '2']],
    ['Companies, boxes and processes', ['company', 'box', 'and', 'process']],
    ['status address bus gas', ['status', 'address', 'bus', 'gas']],
    ['Größe ÉLÈVE', ['große', 'eleve']],
    ['注文を印刷', ['注文', '文を', 'を印', '印刷']],
    ['注', ['注']],
    ['API注文v2', ['注文', 'api', 'v2', 'v', '2']],
    ['заказы', ['заказы']],
    ['주문 취소', ['주문', '취소']],
    ['طلب', ['طلب']],
    ['नमस्ते', ['नमस्ते']],
    ['', []],
    [' -_./(*)+$ ', []],
  ])('of %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words.map((word) => word.normalize('NFKC')));
  });

  it('keeps a word of every letter and digit, whatever the script', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const hasLetters = /[\p{L}\p{N}]/u.test(text.normalize('NFKC'));
        if (hasLetters) expect(wordsOf(text)).not.toEqual([]);
        for (const word of wordsOf(text)) expect(word).toMatch(/^\S+$/u);
      }),
    );
  });

  it('finds the same words in any case and in other forms of one character', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zà-ü]{1,12}$/), (word) => {
        expect(wordsOf(word.toUpperCase()).at(-1)).toBe(wordsOf(word).at(-1));
        expect(wordsOf(word.normalize('NFD'))).toEqual(wordsOf(word));
      }),
    );
  });
});
