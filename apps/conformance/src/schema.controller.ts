import { Body, Controller, Post } from '@nestjs/common';
import { type JsonSchema, McpTool } from '@fledge/mcp';

const CONTACT: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** A schema written by hand reaches clients as it stands. */
@Controller('schema')
export class SchemaController {
  @Post('contact')
  @McpTool({
    name: 'json_schema_2020_12_tool',
    description: 'Takes what a schema of many keywords allows',
    inputSchema: CONTACT,
  })
  contact(@Body() contact: object): object {
    return contact;
  }
}
