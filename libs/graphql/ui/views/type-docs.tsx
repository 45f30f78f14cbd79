import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLEnumValue,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  isAbstractType,
  isEnumType,
  isInputType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  print,
  astFromValue,
} from 'graphql';
import { showInDocs } from '../state/docs.js';

/** Renders a type in schema syntax, with a link to its documentation. */
export function TypeLink({ type }: { readonly type: GraphQLType }) {
  return (
    <button type="button" class="type" onClick={() => showInDocs(getNamedType(type).name)}>
      {String(type)}
    </button>
  );
}

/** Shows the documentation of one type. */
export function TypeDocs(props: {
  readonly type: GraphQLNamedType;
  readonly schema: GraphQLSchema;
}) {
  const { type, schema } = props;
  const parents = isObjectType(type) || isInterfaceType(type) ? type.getInterfaces() : [];
  const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : [];
  return (
    <>
      <h3 class="name">{type.name}</h3>
      {type.description && <p class="text">{type.description}</p>}
      {isScalarType(type) && type.specifiedByURL && <p class="dim">{type.specifiedByURL}</p>}
      <Types title="Implements" types={parents} />
      <Types title="Possible types" types={possible} />
      {'getFields' in type && (
        <dl>
          {Object.values(type.getFields()).map((field: Field) => (
            <FieldDocs key={field.name} field={field} />
          ))}
        </dl>
      )}
      {isEnumType(type) && (
        <dl>
          {type.getValues().map((value) => (
            <EnumValue key={value.name} value={value} />
          ))}
        </dl>
      )}
    </>
  );
}

type Field = GraphQLField<unknown, unknown> | GraphQLInputField;

function FieldDocs({ field }: { readonly field: Field }) {
  const args = 'args' in field ? field.args : [];
  return (
    <>
      <dt>
        <code>{field.name}</code>
        {args.length > 0 && (
          <>
            (
            {args.map((arg, at) => (
              <>
                {at > 0 && ', '}
                <ArgumentDocs argument={arg} />
              </>
            ))}
            )
          </>
        )}
        : <TypeLink type={field.type} />
        {'defaultValue' in field && <Default value={field} />}
      </dt>
      <dd>
        {field.description && <p class="text">{field.description}</p>}
        {args.map(
          ({ name, description }) =>
            description && (
              <p key={name} class="text">
                <code>{name}</code>: {description}
              </p>
            ),
        )}
        <Deprecated reason={field.deprecationReason} />
      </dd>
    </>
  );
}

function ArgumentDocs({ argument }: { readonly argument: GraphQLArgument }) {
  return (
    <span>
      {argument.name}: <TypeLink type={argument.type} />
      <Default value={argument} />
    </span>
  );
}

function Default({ value }: { readonly value: GraphQLArgument | GraphQLInputField }) {
  const { type, defaultValue } = value;
  if (defaultValue === undefined || !isInputType(type)) return null;
  const node = astFromValue(defaultValue, type);
  return node ? <span class="dim"> = {print(node)}</span> : null;
}

function EnumValue({ value }: { readonly value: GraphQLEnumValue }) {
  return (
    <>
      <dt>
        <code>{value.name}</code>
      </dt>
      <dd>
        {value.description && <p class="text">{value.description}</p>}
        <Deprecated reason={value.deprecationReason} />
      </dd>
    </>
  );
}

function Deprecated({ reason }: { readonly reason: string | null | undefined }) {
  return reason ? <p class="warn">Deprecated: {reason}</p> : null;
}

function Types(props: { readonly title: string; readonly types: readonly GraphQLNamedType[] }) {
  if (props.types.length === 0) return null;
  return (
    <p>
      {props.title}:{' '}
      {props.types.map((type) => (
        <span key={type.name}>
          <TypeLink type={type} />{' '}
        </span>
      ))}
    </p>
  );
}
