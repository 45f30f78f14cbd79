import {
  Body,
  Controller,
  Delete,
  Get,
  Param,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseDatePipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  Patch,
  Post,
  Put,
  Query,
  type Type,
} from '@nestjs/common';
import { ApiBody, ApiOperation, ApiQuery } from '@nestjs/swagger';
import * as v from 'valibot';
import { z } from 'zod';
import { McpTool, type McpToolOptions } from '@fledge/mcp';
import { DTOS } from './generated-dtos.js';

type Decorate = (target: object, method: string, index: number) => void;

/** A parameter of a handler: its decorator, and the type that the compiler would emit. */
interface Parameter {
  readonly decorate: Decorate;
  readonly type?: unknown;
}

/** Names as APIs have them, also such that clients reject. */
const NAMES = [
  'id',
  'page[size]',
  'filter[owner.name]',
  'ids[]',
  '$top',
  '@type',
  'größe',
  '数',
  'a b',
  'a.b',
  '-',
  '🙂',
  'x'.repeat(80),
  '__proto__',
  'constructor',
  'toString',
  'select',
];

const PIPES: readonly [type: unknown, ...pipes: object[]][] = [
  [String],
  [Number, ParseIntPipe],
  [Number, ParseFloatPipe],
  [Boolean, ParseBoolPipe],
  [String, ParseUUIDPipe],
  [Date, ParseDatePipe],
  [String, new ParseEnumPipe({ Open: 'open', Done: 'done' })],
  [Array, new ParseArrayPipe({ items: Number })],
  [Array, ParseArrayPipe],
  [BigInt],
  [Object],
  [Array],
];

const SCHEMAS = [
  z.object({ title: z.string(), due: z.iso.datetime().optional() }),
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), a: z.string() }),
    z.object({ kind: z.literal('b'), b: z.number() }),
  ]),
  z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
  z.object({ pair: z.tuple([z.string(), z.number()]), rest: z.array(z.any()) }),
  z.object({ any: z.unknown(), map: z.record(z.string(), z.number()), 'a[b]': z.string() }),
  z.object({
    name: z.string(),
    get children() {
      return z.array(z.object({ name: z.string() })).readonly();
    },
  }),
  v.object({ title: v.string(), tags: v.optional(v.array(v.string()), []), $size: v.number() }),
  v.variant('kind', [
    v.object({ kind: v.literal('a'), a: v.string() }),
    v.object({ kind: v.literal('b'), b: v.number() }),
  ]),
];

const WRITTEN: readonly NonNullable<McpToolOptions['inputSchema']>[] = [
  ...SCHEMAS,
  { type: 'object' },
  { type: 'object', properties: { list: { type: 'array' }, $in: { type: ['array', 'null'] } } },
  {
    type: 'object',
    properties: { mode: { enum: ['a', 'b'] }, address: { $ref: '#address' } },
    $defs: { Address: { $anchor: 'address', type: 'object' } },
    allOf: [{ properties: { extra: { type: 'array', prefixItems: [{ type: 'string' }] } } }],
    if: { properties: { mode: { const: 'a' } } },
    then: { required: ['address'] },
    not: { required: ['never'] },
  },
  {
    type: 'object',
    anyOf: [{ $ref: '#/$defs/ByName' }, { $ref: '#/$defs/ById' }],
    $defs: {
      ByName: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      ById: { type: 'object', properties: { id: { type: 'integer', format: 'int64' } } },
    },
  },
];

const BODIES: readonly Parameter[] = [
  ...DTOS.map((type) => ({ decorate: Body(), type })),
  ...DTOS.map((items) => ({ decorate: Body(new ParseArrayPipe({ items })), type: Array })),
  ...SCHEMAS.map((schema) => ({ decorate: Body({ schema }), type: Object })),
  ...PIPES.flatMap(([type, ...pipes], i) => ({
    decorate: Body(pick(NAMES, i), ...(pipes as Type[])),
    type,
  })),
  { decorate: Body(), type: Object },
  { decorate: Body(), type: Array },
];

const QUERIES: readonly Parameter[] = [
  ...PIPES.flatMap(([type, ...pipes], i) =>
    [0, 5, 11].map((shift) => ({
      decorate: Query(pick(NAMES, i + shift), ...(pipes as Type[])),
      type,
    })),
  ),
  ...DTOS.map((type) => ({ decorate: Query(), type })),
  ...SCHEMAS.map((schema) => ({ decorate: Query({ schema }), type: Object })),
];

const PATHS = ['', ':id', ':id/of/:owner_id', 'all/*'];

const VERBS = [Get, Post, Put, Patch, Delete];

const DOCUMENTED: readonly MethodDecorator[] = [
  ApiQuery({ name: 'tags', type: [String], explode: false, required: false }),
  ApiQuery({ name: 'sort[by]', enum: ['a', 'b'], isArray: true, required: false }),
  ApiQuery({ name: 'filter', type: 'object', style: 'deepObject' } as never),
  ApiBody({ schema: { type: 'object', properties: { ids: { type: 'array' } } } }),
  ApiBody({ schema: { oneOf: [{ type: 'object', properties: {} }, { type: 'array' }] } }),
];

/** Controllers with a number of routes: each kind of parameter, DTO, schema and name, in many combinations. */
export function generatedControllers(routes: number, perController = 10): readonly Type[] {
  return Array.from({ length: Math.ceil(routes / perController) }, (_, at) => {
    const type = { [`Generated${at}Controller`]: class {} }[`Generated${at}Controller`] as Type;
    Controller(`generated-${at}`)(type);
    for (let i = 0; i < perController; i++) addRoute(type, at * perController + i);
    return type;
  });
}

function addRoute(type: Type, i: number): void {
  const method = ['list', 'find_one', 'create', 'update', 'removeAll'][i % 5] + String(i);
  const prototype = type.prototype as object;
  Object.defineProperty(prototype, method, { value: () => [], configurable: true, writable: true });
  const descriptor = Object.getOwnPropertyDescriptor(prototype, method) as PropertyDescriptor;
  const verb = pick(VERBS, i);
  const path = `${i}/${pick(PATHS, i)}`;
  const parameters: Parameter[] = [
    pick(QUERIES, i),
    ...(verb === Get ? [pick(QUERIES, i * 7 + 3)] : [pick(BODIES, i)]),
    ...(path.includes(':id') ? [pathParameter(i)] : []),
  ];
  parameters.forEach(({ decorate }, index) => decorate(prototype, method, index));
  const types = parameters.map((parameter) => parameter.type);
  Reflect.defineMetadata('design:paramtypes', types, prototype, method);
  const decorators = [
    verb(path),
    ...(i % 4 === 0 ? [pick(DOCUMENTED, i / 4)] : []),
    ...(i % 6 === 0 ? [ApiOperation({ operationId: `generated_${i}`, summary: 'x' })] : []),
    ...(i % 7 === 0 ? [toolDecorator(i)] : []),
  ];
  for (const decorate of decorators) decorate(prototype, method, descriptor);
}

function toolDecorator(i: number): MethodDecorator {
  const inputSchema = pick(WRITTEN, i / 7);
  return McpTool({ name: `written-${i}`, description: 'Written', inputSchema });
}

function pathParameter(i: number): Parameter {
  const [type, ...pipes] = pick(PIPES, i);
  return { decorate: Param('id', ...(pipes as Type[])), type };
}

function pick<Item>(items: readonly Item[], i: number): Item {
  return items[i % items.length] as Item;
}
