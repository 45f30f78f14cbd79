import { basename, extname } from 'node:path';
import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  getLocation,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type Source,
  visit,
} from 'graphql';

/** One operation in the files. */
export interface FileOperation {
  /** Name of the operation, or else of its file without the extension. */
  readonly name: string;
  /** File, line and column. */
  readonly place: string;
  readonly node: OperationDefinitionNode;
  /** The operation, with its name, and the fragments that it uses. */
  readonly document: DocumentNode;
  /** The printed document without comments and descriptions. */
  readonly text: string;
}

/** Collects problems, so that one error can list all of them. */
export type Report = (place: string, fault: string) => void;

/** Returns the operations of all files. All files share their fragments. */
export function operationsOf(files: readonly Source[], report: Report): readonly FileOperation[] {
  const parsed = files.flatMap((file) => documentOf(file, report) ?? []);
  const fragments = fragmentsOf(parsed, report);
  return parsed.flatMap(({ definitions }) => {
    const operations = definitions.filter(isOperation);
    return operations.flatMap((node) => {
      if (node.name === undefined && operations.length > 1) {
        report(
          placeOf(node),
          'an operation without a name must be the only operation in its file. Give it a name',
        );
        return [];
      }
      return operationOf(node, fragments);
    });
  });
}

/** Formats a location, such as `tools/tasks.graphql:3:1`. */
function placeOf({ loc }: DefinitionNode): string {
  if (!loc) return '';
  const { line, column } = getLocation(loc.source, loc.start);
  return `${loc.source.name}:${line}:${column}`;
}

/** Reports an error of graphql-js with its location in a file. */
export function reportError(error: Error, otherwise: string, report: Report): void {
  const at = error instanceof GraphQLError ? error : undefined;
  const source = at?.source ?? at?.nodes?.[0]?.loc?.source;
  const [location] = at?.locations ?? [];
  report(
    source && location ? `${source.name}:${location.line}:${location.column}` : otherwise,
    error.message.replace(/\.$/, ''),
  );
}

function documentOf(file: Source, report: Report): DocumentNode | undefined {
  try {
    return parse(file);
  } catch (error) {
    reportError(error as Error, file.name, report);
    return undefined;
  }
}

function fragmentsOf(
  documents: readonly DocumentNode[],
  report: Report,
): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of documents.flatMap(({ definitions }) => definitions)) {
    if (isOperation(definition)) continue;
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) {
      report(
        placeOf(definition),
        'this is a type definition, but operation files may contain only operations and ' +
          'fragments. Move the operations to a separate folder',
      );
      continue;
    }
    const { value } = definition.name;
    const first = fragments.get(value);
    if (first) {
      report(
        placeOf(definition),
        `the fragment "${value}" is also defined at ${placeOf(first)}. Rename one of the two`,
      );
    } else fragments.set(value, definition);
  }
  return fragments;
}

function operationOf(
  given: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): FileOperation {
  const name = given.name?.value ?? fileNameOf(given);
  const used = usedBy(given, fragments);
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [given, ...used] };
  return { name, place: placeOf(given), node: given, document, text: textOf(document) };
}

/**
 * Prints a document without descriptions. Servers with an older GraphQL syntax reject descriptions,
 * and no server needs descriptions.
 */
function textOf(document: DocumentNode): string {
  const bare = {
    enter: (node: object) =>
      'description' in node ? { ...node, description: undefined } : undefined,
  };
  return print(visit(document, bare));
}

function fileNameOf({ loc }: OperationDefinitionNode): string {
  const path = loc?.source.name ?? '';
  return basename(path, extname(path));
}

/**
 * Returns the fragments that a definition spreads. Includes the fragments that these fragments
 * spread.
 */
function usedBy(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly FragmentDefinitionNode[] {
  const used = new Set<FragmentDefinitionNode>();
  const follow = (definition: DefinitionNode): void => {
    visit(definition, {
      FragmentSpread: ({ name }) => {
        const fragment = fragments.get(name.value);
        if (!fragment || used.has(fragment)) return;
        used.add(fragment);
        follow(fragment);
      },
    });
  };
  follow(operation);
  return [...used];
}

function isOperation(definition: DefinitionNode): definition is OperationDefinitionNode {
  return definition.kind === Kind.OPERATION_DEFINITION;
}
