import { beforeAll, describe, expect, it } from '@jest/globals';
import { createArgumentValidator } from '../../publish/arguments/argument-validator.js';
import { type AnswerCheck, answerCheck } from './params-check.js';

describe('answerCheck', () => {
  const text = { type: 'text', text: 'hi' };
  let faultOf: AnswerCheck;

  beforeAll(async () => {
    faultOf = answerCheck(await createArgumentValidator());
  });

  it.each([
    ['a content block', text, undefined],
    ['several content blocks', [text, text], undefined],
    ['a string', 'hi', /content/],
    ['a block without a type', [{ text: 'hi' }], /content/],
  ])('sampling with %s', (_what, content, fault) => {
    const answer = { role: 'assistant', content, model: 'm' };
    const found = faultOf('sampling/createMessage', answer);
    if (fault) expect(found).toMatch(fault);
    else expect(found).toBeUndefined();
  });
});
