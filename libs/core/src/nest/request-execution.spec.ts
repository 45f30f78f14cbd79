import { expect, it } from '@jest/globals';
import { RequestExecution } from './request-execution.js';

class TasksController {
  list() {
    return [];
  }
}

it('RequestExecution reads the request in each way that Nest reads arguments', () => {
  const req = { headers: {}, method: 'GET', url: '/' };
  const res = { statusCode: 200 };
  const { list } = TasksController.prototype;
  const execution = new RequestExecution({ req, res }, TasksController, list);
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
