import { describe, expect, it } from '@jest/globals';
import { classifyCondition } from './policy-condition.js';

// As PostgreSQL 15 and 17 print them.
const SETTING = `current_setting('app.tenant_id'::text, true)`;
const OWN = `(tenant_id = NULLIF(${SETTING}, ''::text))`;
const kindOf = (condition: string, column = 'tenant_id') =>
  classifyCondition(condition, { column, setting: 'app.tenant_id' });

describe('classifyCondition', () => {
  it.each([
    OWN,
    `(tenant_id = ${SETTING})`,
    `(tenant_id = current_setting('app.tenant_id'::text))`,
    `(tenant_id = current_setting('APP.Tenant_ID'::text, true))`,
    `(${SETTING} = tenant_id)`,
    `(tenant_id = (NULLIF(${SETTING}, ''::text))::uuid)`,
    `(tenant_id = (NULLIF(${SETTING}, ''::text))::bigint)`,
    `((tenant_id)::text = NULLIF(${SETTING}, ''::text))`,
    `(tenant_id = ( SELECT ${SETTING} AS current_setting))`,
    `((tenant_id)::text = (( SELECT (NULLIF(${SETTING}, ''::text))::character varying AS "nullif"))::text)`,
    `(${OWN} AND (deleted = false))`,
    `((deleted = false) AND (${OWN} AND (a OR b)))`,
  ])('recognizes %s', (condition) => {
    expect(kindOf(condition)).toBe('tenant');
  });

  it('recognizes a column in quotes', () => {
    expect(kindOf(`("Org ""1" = ${SETTING})`, 'Org "1')).toBe('tenant');
    expect(kindOf(`("Org" = ${SETTING})`, 'org')).toBe('without');
  });

  it.each([
    `(${OWN} OR (tenant_id IS NULL))`,
    `(${OWN} OR (tenant_id = 'shared'::text))`,
    `(${OWN} OR ((tenant_id)::text = 'it''s (all)'::text))`,
    `(${OWN} OR (tenant_id = 0))`,
    `(((tenant_id IS NULL) AND c) OR (${OWN} AND c))`,
    `((${OWN} OR (tenant_id IS NULL)) AND c)`,
  ])('sees the shared rows that an OR adds in %s', (condition) => {
    expect(kindOf(condition)).toBe('widened');
  });

  it.each([
    `(${OWN} OR true)`,
    `(${OWN} OR (1 = 1))`,
    `(${OWN} OR (text = 'public'::text))`,
    `((a AND b) OR (${OWN} AND c))`,
    `(${OWN} OR (tenant_id IS NOT NULL))`,
    `(${OWN} OR (tenant_id = tenant_id))`,
    `(${OWN} OR (tenant_id = ('a'::text || 'b'::text)))`,
    `(${OWN} OR (tenant_id <> 'a'::text))`,
    `((${OWN} OR true) AND ((tenant_id = tenant_id) OR c))`,
  ])('does not take an OR that adds rows of other tenants: %s', (condition) => {
    expect(kindOf(condition)).toBe('unrecognized');
  });

  it.each([
    `(tenant_id = COALESCE(NULLIF(${SETTING}, ''::text), tenant_id))`,
    `CASE WHEN (${SETTING} = ''::text) THEN true ELSE (tenant_id = ${SETTING}) END`,
    `(tenant_id >= ${SETTING})`,
    `(tenant_id <> ${SETTING})`,
    `(tenant_id = ANY (string_to_array(${SETTING}, ','::text)))`,
    `(NOT ${OWN})`,
    `(NOT (tenant_id = ${SETTING}))`,
    `(tenant_id = (${SETTING} || tenant_id))`,
    `((tenant_id)::text = ((${SETTING})::character varying(3))::text)`,
    `(tenant_id = (NULLIF(${SETTING}, ''::text))::numeric(20,0))`,
    `(tenant_id = (NULLIF(${SETTING}, ''::text))::bpchar)`,
    `(tenant_id = (NULLIF(${SETTING}, ''::text))::double precision)`,
    `((tenant_id)::text = ((${SETTING})::name)::text)`,
    `((tenant_id)::boolean = (${SETTING})::boolean)`,
    `(lower(tenant_id) = ${SETTING})`,
    `((tenant_id = tenant_id) OR (${SETTING} = 'a'::text))`,
    `(NULLIF(${SETTING}, 'a'::text) = tenant_id)`,
  ])('does not take %s for the comparison', (condition) => {
    expect(kindOf(condition)).toBe('unrecognized');
  });

  it.each([
    'true',
    '(tenant_id IS NULL)',
    `(tenant_id = 'a'::text)`,
    `(text = ${SETTING})`,
    `(tenant_id = current_setting('my.tenant_id'::text, true))`,
    `(text = 'tenant_id = app.tenant_id'::text)`,
    '',
  ])('misses the names in %j', (condition) => {
    expect(kindOf(condition)).toBe('without');
  });
});
