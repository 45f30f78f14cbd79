import { beforeAll, describe, expect, it } from '@jest/globals';
import { createArgumentValidator } from '../../publish/arguments/argument-validator.js';
import { type AnswerCheck, answerCheck } from './params-check.js';

describe('answerCheck', () => {
  const text = { type: 'text', text: 'hi' };
  let faultOf: AnswerCheck;

  beforeAll(async () => {
    faultOf = answerCheck(await createArgumentValidator());
  });

  const faultOfContent = (content: unknown) =>
    faultOf('sampling/createMessage', { role: 'assistant', content, model: 'm' });

  it.each([
    ['a content block', text],
    ['several content blocks', [text, text]],
  ])('accepts %s from a model', (_what, content) => {
    expect(faultOfContent(content)).toBeUndefined();
  });

  it.each([
    ['a string', 'hi'],
    ['a block without a type', [{ text: 'hi' }]],
  ])('rejects %s from a model', (_what, content) => {
    expect(faultOfContent(content)).toMatch(/content/);
  });
});
