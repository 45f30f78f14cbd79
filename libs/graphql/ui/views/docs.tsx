import { Button } from '@fledge-internal/ui/controls';
import { signal } from '@preact/signals';
import { type GraphQLNamedType, type GraphQLSchema, isSpecifiedScalarType } from 'graphql';
import { trail, typeNamed } from '../state/docs.js';
import { loadSchema, schema } from '../state/schema.js';
import { TypeDocs, TypeLink } from './type-docs.js';

const filter = signal('');

/** The documentation of the schema. */
export function Docs() {
  const found = schema.value;
  return (
    <aside class="side docs" aria-label="Documentation">
      <div class="bar">
        <h2 class="grow">Documentation</h2>
        <Button look="quiet" small onClick={() => void loadSchema()}>
          Reload
        </Button>
      </div>
      <div class="scroll">
        {found.state === 'loading' && <p class="dim">Loading the schema</p>}
        {found.state === 'missing' && <Missing reason={found.reason} />}
        {found.state === 'loaded' && <Loaded schema={found.schema} />}
      </div>
    </aside>
  );
}

function Missing({ reason }: { readonly reason: string }) {
  return (
    <div role="status">
      <p class="err">{reason}</p>
      <p>
        Without introspection there is no documentation and no completion. Operations run. If the
        endpoint requires credentials, set them in Headers and reload.
      </p>
    </div>
  );
}

function Loaded(props: { readonly schema: GraphQLSchema }) {
  const current = trail.value.at(-1);
  const type = current === undefined ? undefined : typeNamed(current);
  if (type === undefined) return <Overview schema={props.schema} />;
  return (
    <>
      <nav class="trail" aria-label="Opened types">
        <Button small onClick={() => (trail.value = [])}>
          Schema
        </Button>
        {trail.value.slice(0, -1).map((name, at) => (
          <Button key={at} small onClick={() => (trail.value = trail.value.slice(0, at + 1))}>
            {name}
          </Button>
        ))}
      </nav>
      <TypeDocs type={type} schema={props.schema} />
    </>
  );
}

function Overview(props: { readonly schema: GraphQLSchema }) {
  const given = props.schema;
  const roots: readonly (GraphQLNamedType | null | undefined)[] = [
    given.getQueryType(),
    given.getMutationType(),
    given.getSubscriptionType(),
  ];
  const wanted = filter.value.trim().toLowerCase();
  const types = Object.values(given.getTypeMap())
    .filter((type) => !type.name.startsWith('__') && !roots.includes(type) && matches(type, wanted))
    .toSorted(byName);
  return (
    <>
      {given.description && <p class="text">{given.description}</p>}
      <h3>Operations</h3>
      <ul>{roots.map((type) => type && <li key={type.name}>{<TypeLink type={type} />}</li>)}</ul>
      <h3>Types</h3>
      <input
        class="in"
        type="search"
        aria-label="Filter types and fields"
        placeholder="Filter types and fields"
        value={filter.value}
        onInput={(event) => (filter.value = event.currentTarget.value)}
      />
      <ul>
        {types.map((type) => (
          <li key={type.name}>
            <TypeLink type={type} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Sorts types by name. The built-in scalars come last. */
function byName(one: GraphQLNamedType, other: GraphQLNamedType): number {
  const [last, first] = [one, other].map((type) => Number(isSpecifiedScalarType(type)));
  return last! - first! || one.name.localeCompare(other.name);
}

function matches(type: GraphQLNamedType, wanted: string): boolean {
  if (type.name.toLowerCase().includes(wanted)) return true;
  return (
    'getFields' in type &&
    Object.keys(type.getFields()).some((name) => name.toLowerCase().includes(wanted))
  );
}
