import { describe, expect, it } from '@jest/globals';
import {
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  ApiTags,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import { documentationOf, isDescribed, operationIdOf } from './route-documentation.js';

@ApiTags('orders')
@ApiUnauthorizedResponse({ description: 'No token' })
class OrdersController {
  @ApiOperation({ operationId: 'pay', summary: 'Pays', description: ' Pays an order in full ' })
  @ApiOkResponse({ description: 'Paid' })
  @ApiConflictResponse({ description: 'It is\npaid already' })
  @ApiNotFoundResponse()
  pay() {}

  @ApiOperation({ summary: 'Lists orders' })
  @ApiUnauthorizedResponse({ description: 'Sign in first' })
  @ApiResponse({ status: 'default', description: 'Anything' })
  @ApiResponse({ status: 500, description: 'A fault of ours' })
  list() {}

  @ApiTags('archive', 'orders')
  archive() {}
}

class PlainController {
  find() {}
}

const route = (controller: new () => object, methodName: string) => ({
  controller,
  handler: (controller.prototype as Record<string, Function>)[methodName] as Function,
  verb: 'GET' as const,
  path: '/orders/:id',
});

describe('documentationOf', () => {
  it('says what the route does, then how it fails, in the order of the statuses', () => {
    expect(documentationOf(route(OrdersController, 'pay'))).toBe(
      'Pays an order in full\nErrors: 401 No token; 404 Not Found; 409 It is paid already',
    );
  });

  it('takes the summary where there is no description, and a status of the method before its class', () => {
    expect(documentationOf(route(OrdersController, 'list'))).toBe(
      'Lists orders\nErrors: 401 Sign in first',
    );
  });

  it('falls back to the request line and the tags', () => {
    expect(documentationOf(route(OrdersController, 'archive'))).toBe(
      'GET /orders/:id (orders, archive)\nErrors: 401 No token',
    );
    expect(documentationOf(route(PlainController, 'find'))).toBe('GET /orders/:id');
  });
});

describe('the operation', () => {
  it('has an id and a description where @ApiOperation says so', () => {
    const of = (name: string) => {
      const documented = route(OrdersController, name);
      return [operationIdOf(documented), isDescribed(documented)];
    };
    expect([of('pay'), of('list'), of('archive')]).toEqual([
      ['pay', true],
      [undefined, true],
      [undefined, false],
    ]);
  });
});
