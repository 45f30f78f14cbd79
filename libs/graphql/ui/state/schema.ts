import { signal } from '@preact/signals';
import {
  buildClientSchema,
  getIntrospectionQuery,
  type GraphQLSchema,
  type IntrospectionQuery,
} from 'graphql';
import { reasonOf } from '../api/operation.js';
import { send } from '../api/send.js';
import { headers } from './request.js';

/** The schema from introspection, or why it could not be read. */
export const schema = signal<
  | { readonly state: 'loading' }
  | { readonly state: 'loaded'; readonly schema: GraphQLSchema }
  | { readonly state: 'missing'; readonly reason: string }
>({ state: 'loading' });

/** Reads the schema from the endpoint, with the request headers. */
export async function loadSchema(): Promise<void> {
  schema.value = { state: 'loading' };
  try {
    const query = getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true });
    const { status, text } = await send({ query }, headers.value ?? {});
    schema.value = read(status, text);
  } catch (error) {
    schema.value = { state: 'missing', reason: reasonOf(error) };
  }
}

interface Introspection {
  readonly data?: IntrospectionQuery | null;
  readonly errors?: readonly { readonly message: string }[];
}

function read(status: number, text: string): typeof schema.value {
  const { data, errors } = JSON.parse(text) as Introspection;
  if (data?.__schema) return { state: 'loaded', schema: buildClientSchema(data) };
  return { state: 'missing', reason: errors?.[0]?.message ?? `The endpoint answered ${status}.` };
}
