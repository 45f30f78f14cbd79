import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, VERSION_NEUTRAL, VersioningType } from '@nestjs/common';
import { ApplicationConfig, ContextIdFactory } from '@nestjs/core';
import { OpenContext } from './context/open-context.js';
import {
  hasContextId,
  isRouteHandler,
  mountPathsOf,
  RequestExecution,
  setContextId,
} from './nest-internals.js';

@Controller(['tasks', '/todos/'])
class TasksController {
  @Get()
  list() {
    return [];
  }

  helper() {
    return [];
  }
}

@Controller({ path: 'old', version: ['1', VERSION_NEUTRAL] })
class OldController {}

@Module({})
class FeatureModule {}

const appId = 'app';
const config = (change: (it: ApplicationConfig) => void = () => undefined) => {
  const made = new ApplicationConfig();
  change(made);
  return made;
};

describe('What Nest keeps to itself', () => {
  it('isRouteHandler knows a verb decorator', () => {
    expect(isRouteHandler(TasksController.prototype.list)).toBe(true);
    expect(isRouteHandler(TasksController.prototype.helper)).toBe(false);
  });

  it('mountPathsOf joins prefix, module path and controller paths', () => {
    expect(mountPathsOf(TasksController, undefined, appId, config())).toEqual(['/tasks', '/todos']);
    Reflect.defineMetadata(`__module_path__${appId}`, 'feature', FeatureModule);
    const prefixed = config((it) => it.setGlobalPrefix('api'));
    expect(mountPathsOf(TasksController, FeatureModule, appId, prefixed)).toEqual([
      '/api/feature/tasks',
      '/api/feature/todos',
    ]);
    expect(mountPathsOf(TasksController, FeatureModule, 'another', prefixed)).toEqual([
      '/api/tasks',
      '/api/todos',
    ]);
  });

  it('mountPathsOf puts a version into the path where Nest does', () => {
    const uri = config((it) =>
      it.enableVersioning({ type: VersioningType.URI, defaultVersion: '3' }),
    );
    expect(mountPathsOf(OldController, undefined, appId, uri)).toEqual(['/v1/old', '/old']);
    expect(mountPathsOf(TasksController, undefined, appId, uri)).toEqual([
      '/v3/tasks',
      '/v3/todos',
    ]);
    const header = config((it) =>
      it.enableVersioning({ type: VersioningType.HEADER, header: 'v' }),
    );
    expect(mountPathsOf(OldController, undefined, appId, header)).toEqual(['/old']);
  });

  it('RequestExecution reads the request in each way that Nest reads arguments', () => {
    const req = { headers: {}, method: 'GET', url: '/' };
    const res = { statusCode: 200 };
    const { list } = TasksController.prototype;
    const execution = new RequestExecution(new OpenContext(req, res), TasksController, list);
    expect([execution.getType(), execution.getClass(), execution.getHandler()]).toEqual([
      'http',
      TasksController,
      list,
    ]);
    expect(execution.getArgs()).toEqual([req, res]);
    expect(execution.getArgByIndex(1)).toBe(res);
    expect(execution.switchToHttp().getRequest()).toBe(req);
    expect(execution.switchToHttp().getResponse()).toBe(res);
  });

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
});
