import { expect, it } from '@jest/globals';
import { ContextIdFactory } from '@nestjs/core';
import { hasContextId, setContextId } from './request-context-id.js';

it('setContextId ties a request to the id that Nest then finds', () => {
  const req = {};
  const contextId = ContextIdFactory.create();
  expect(hasContextId(req)).toBe(false);
  setContextId(req, contextId);
  expect(hasContextId(req)).toBe(true);
  expect(ContextIdFactory.getByRequest(req)).toBe(contextId);
  expect(ContextIdFactory.getByRequest({ raw: req })).toBe(contextId);
  expect(Object.keys(req)).toEqual([]);
});
