import { expect } from '@jest/globals';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { setTimeout as wait } from 'node:timers/promises';

/** Its span stands for that of an ORM: a child of what is active where a resolver runs. */
export async function work(name: string): Promise<string> {
  await wait(1);
  trace.getTracer('orm').startSpan(name).end();
  return name;
}

/** Checks the spans of `query Work { ... }`, which succeeded, and of a query that failed with `broken`. */
export function expectOutcomes([worked, failed]: readonly { readonly attributes: object }[]): void {
  expect(worked).toMatchObject({
    name: 'query',
    kind: SpanKind.SERVER,
    status: { code: SpanStatusCode.UNSET },
  });
  expect(worked!.attributes).toEqual({
    'graphql.operation.type': 'query',
    'graphql.operation.name': 'Work',
  });
  expect(failed).toMatchObject({
    name: 'query',
    status: { code: SpanStatusCode.ERROR, message: 'broken' },
    attributes: { 'error.type': 'GraphQLError' },
  });
}
