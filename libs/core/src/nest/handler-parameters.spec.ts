import { expect, it } from '@jest/globals';
import { Body, Controller, Get, ParseIntPipe, Post, Query } from '@nestjs/common';
import { isRouteHandler, parametersOf } from './handler-parameters.js';

@Controller('tasks')
class TasksController {
  @Get()
  list() {
    return [];
  }

  @Post()
  add(@Body() task: unknown, @Query('page', ParseIntPipe) page: number) {
    return [task, page];
  }

  helper() {
    return [];
  }
}

it('isRouteHandler knows a verb decorator', () => {
  expect(isRouteHandler(TasksController.prototype.list)).toBe(true);
  expect(isRouteHandler(TasksController.prototype.helper)).toBe(false);
});

it('parametersOf reads decorators, places and pipes', () => {
  const parameters = parametersOf(TasksController, 'add').sort((a, b) => a.index - b.index);
  expect(parameters).toEqual([
    { decorator: '@Body()', index: 0, pipes: [] },
    { decorator: '@Query()', index: 1, pipes: [ParseIntPipe] },
  ]);
  expect(parametersOf(TasksController, 'list')).toEqual([]);
});
