import { describe, expect, it } from '@jest/globals';
import { Ctx, FromContext } from '@fledge/core';
import { McpCallInfo } from '@fledge/mcp';
import { Paginate, Qs } from '@fledge/query/nest';
import { CurrentTenant } from '@fledge/tenant';
import { ParseIntPipe } from '@nestjs/common';

/** TypeScript rejects some of these places, but compilers for JavaScript do not. */
type AnyDecorator = (...target: unknown[]) => void;

class Notes {
  note = '';
  set first(_note: string) {}
  list(): void {}
}

const PLACES: [string, unknown[]][] = [
  [
    'Notes.list',
    [Notes.prototype, 'list', Object.getOwnPropertyDescriptor(Notes.prototype, 'list')],
  ],
  ['Notes.note', [Notes.prototype, 'note', undefined]],
  ['a parameter of Notes.first', [Notes.prototype, 'first', 0]],
  ['a parameter of new Notes', [Notes, undefined, 0]],
  ['Notes', [Notes]],
];

describe.each<[string, string, ParameterDecorator]>([
  ['@Ctx()', 'CORE_BAD_OPTION', Ctx()],
  ["@FromContext('user')", 'CORE_BAD_OPTION', FromContext('user')],
  ["@FromContext('id')", 'CORE_BAD_OPTION', FromContext('id', ParseIntPipe)],
  ['@McpCallInfo()', 'MCP_BAD_OPTION', McpCallInfo()],
  ['@CurrentTenant()', 'TENANT_INVALID_OPTION', CurrentTenant()],
  ['@Qs()', 'QUERY_MISPLACED_DECORATOR', Qs()],
  ['@Paginate()', 'QUERY_MISPLACED_DECORATOR', Paginate()],
])('%s', (name, code, decorator) => {
  it.each(PLACES)('is rejected on %s', (place, target) => {
    expect(() => (decorator as AnyDecorator)(...target)).toThrow(
      expect.objectContaining({
        code,
        message: `${name} is on ${place}, but must be on a parameter of a method.`,
      }),
    );
  });

  it('is accepted on a parameter of a method', () => {
    expect(() => decorator(Notes.prototype, 'list', 0)).not.toThrow();
  });
});
