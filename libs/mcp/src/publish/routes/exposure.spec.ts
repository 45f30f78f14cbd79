import { describe, expect, it } from '@jest/globals';
import { McpTool } from '../decorators/mcp-tool.decorator.js';
import type { HttpMethod } from '../../mcp.definitions.js';
import { type ExposureRules, isExposed } from './exposure.js';
import type { Route } from './route.js';

class Controller {
  bare() {}
  @McpTool({ description: 'A tool' }) tool() {}
  @McpTool({ description: 'A hidden tool', hidden: true }) hidden() {}
}

function route(method: keyof Controller, path = '/tasks', verb: HttpMethod = 'GET'): Route {
  return {
    controller: Controller,
    ...(path.startsWith('/api/v1/') && { unversionedPath: path.replace('/v1', '') }),
    handler: Controller.prototype[method],
    path,
    verb,
  } as unknown as Route;
}

const all: HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const explicit: ExposureRules = { mode: 'explicit', include: all, exclude: [], globalPrefix: '' };

const auto: ExposureRules = { ...explicit, mode: 'auto' };

describe('isExposed', () => {
  it.each<[string, keyof Controller, ExposureRules, boolean]>([
    ['explicit, decorated', 'tool', explicit, true],
    ['explicit, bare', 'bare', explicit, false],
    ['explicit, hidden', 'hidden', explicit, false],
    ['auto, bare', 'bare', auto, true],
    ['auto, decorated', 'tool', auto, true],
    ['auto, hidden', 'hidden', auto, false],
    ['auto, verb not included', 'bare', { ...auto, include: ['POST'] }, false],
    ['auto, empty include', 'bare', { ...auto, include: [] }, false],
    ['explicit ignores include', 'tool', { ...explicit, include: ['POST'] }, true],
  ])('follows the table of the contract: %s', (_, method, rules, exposed) => {
    expect(isExposed(route(method), rules)).toBe(exposed);
  });

  it.each([
    ['/admin/*', '/admin', true],
    ['/admin/*', '/admin/users/:id', true],
    ['/admin/*', '/administrators', false],
    ['/admin', '/admin/users', true],
    ['/admin/*', '/api/admin/users', true],
    ['/api/admin/*', '/api/admin/users', true],
    ['/admin/*', '/v1/admin', false],
    ['/*/admin', '/v1/admin/users', true],
    ['/tasks/:id', '/tasks/:id', true],
    ['/tasks/:id', '/tasks', false],
    ['/auth/*', '/api/v1/auth/login', true],
  ])('exclude %s covers %s: %s', (pattern, path, covered) => {
    const rules = { ...auto, exclude: [pattern], globalPrefix: '/api' };
    expect(isExposed(route('bare', path), rules)).toBe(!covered);
  });
});
