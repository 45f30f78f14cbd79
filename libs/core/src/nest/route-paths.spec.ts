import { expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Module,
  RequestMethod,
  Version,
  VERSION_NEUTRAL,
  VersioningType,
} from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { httpRoutesOf, mountPathsOf } from './route-paths.js';

@Controller(['tasks', '/todos/'])
class TasksController {
  @Get()
  list() {
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
  expect(mountPathsOf(TasksController, undefined, appId, uri)).toEqual(['/v3/tasks', '/v3/todos']);
  const header = config((it) => it.enableVersioning({ type: VersioningType.HEADER, header: 'v' }));
  expect(mountPathsOf(OldController, undefined, appId, header)).toEqual(['/old']);
});

it('httpRoutesOf adds the path and the verb of the method', () => {
  const place = { controller: TasksController, methodName: 'list' };
  expect(httpRoutesOf(place, appId, config())).toEqual([
    { verb: 'GET', path: '/tasks' },
    { verb: 'GET', path: '/todos' },
  ]);
});

@Controller({ path: 'tasks', version: '1' })
class MixedController {
  @Get('health')
  health() {
    return 'ok';
  }

  @Version('2')
  @Get()
  list() {
    return [];
  }
}

it('httpRoutesOf leaves out an excluded prefix, and prefers the version of the method', () => {
  const prefixed = config((it) => {
    it.setGlobalPrefix('api');
    it.setGlobalPrefixOptions({
      exclude: [
        { path: '/tasks/health', requestMethod: RequestMethod.GET, pathRegex: /^\/tasks\/health$/ },
      ],
    });
  });
  const health = { controller: MixedController, methodName: 'health' };
  const list = { controller: MixedController, methodName: 'list' };
  expect(httpRoutesOf(health, appId, prefixed)).toEqual([{ verb: 'GET', path: '/tasks/health' }]);
  expect(httpRoutesOf(list, appId, prefixed)).toEqual([{ verb: 'GET', path: '/api/tasks' }]);
  prefixed.enableVersioning({ type: VersioningType.URI });
  expect(httpRoutesOf(list, appId, prefixed)).toEqual([{ verb: 'GET', path: '/api/v2/tasks' }]);
});
