import { describe, expect, it } from '@jest/globals';
import { nearest } from './nearest.js';

describe('nearest', () => {
  const names = ['tasks_list', 'tasks_get', 'tasks_create', 'users_list', 'TasksController.find'];

  it.each([
    ['task_list', ['tasks_list']],
    ['TASKS_GET', ['tasks_get']],
    ['find', ['TasksController.find']],
    ['create', ['tasks_create']],
    ['zebra', []],
    ['', []],
  ])('of %j is %j', (wanted, found) => {
    expect(nearest(wanted, names)).toEqual(found);
  });
});
