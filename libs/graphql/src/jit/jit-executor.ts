import {
  type DocumentNode,
  execute,
  type ExecutionArgs,
  getVariableValues,
  type GraphQLSchema,
  versionInfo,
} from 'graphql';
import type { GraphqlExecutor } from '../operation/executor.js';
import {
  type CompiledOperation,
  type CompilerInput,
  compileOperation,
  type GraphqlJit,
} from './compiled-operation.js';
import { isIncluded } from './conditions.js';
import { type KnownOperation, knownOperation } from './known-operation.js';

/** When operations are compiled, and how many. */
export interface JitOptions {
  /** Runs of an operation before it is compiled, because compiling takes as long as many runs. @default 10 */
  readonly after?: number;
  /** Maximum number of fields of a compiled operation, counting its fragments at each use. Larger operations run with graphql-js. @default 500 */
  readonly maxFields?: number;
  /** Number of compiled operations kept, those used last. @default 200 */
  readonly maxOperations?: number;
}

/** Maximum number of compiled forms of one operation: one for each set of values of `@skip` and `@include`. */
const MAX_FORMS = 8;

type Operations = Map<string, KnownOperation>;
type Variables = Record<string, unknown>;

/** Runs operations with graphql-js until they are worth compiling, then compiled. */
export class JitExecutor {
  private graphqlJit: GraphqlJit | undefined;
  /** Keyed by document, so that they live as long as the mount's document cache keeps it. */
  private readonly known = new WeakMap<GraphQLSchema, WeakMap<DocumentNode, Operations>>();
  /** Operations with compiled code, the least recently used first. */
  private readonly compiled = new Set<KnownOperation>();

  constructor(private readonly options: Required<JitOptions>) {}

  /** Sets the compiler. Before it, and with other versions than graphql 16, nothing is compiled. */
  use(graphqlJit: GraphqlJit): void {
    if (versionInfo.major === 16) this.graphqlJit = graphqlJit;
  }

  execute(args: ExecutionArgs): ReturnType<GraphqlExecutor> {
    const operation = this.graphqlJit && this.operationOf(args);
    if (operation === undefined || ++operation.runs <= this.options.after) return execute(args);
    const variables = variablesOf(args, operation);
    const compiled = variables && this.compiledOf(operation, args.schema, variables);
    return compiled === undefined ? execute(args) : compiled(args, variables!);
  }

  private operationOf(args: ExecutionArgs): KnownOperation | undefined {
    const { schema, document, operationName } = args;
    // The compiled code has graphql-js' default resolvers in it.
    if (args.fieldResolver != null || args.typeResolver != null) return undefined;
    let documents = this.known.get(schema);
    if (documents === undefined) this.known.set(schema, (documents = new WeakMap()));
    let operations = documents.get(document);
    if (operations === undefined)
      documents.set(document, (operations = new Map<string, KnownOperation>()));
    const name = operationName ?? '';
    if (!operations.has(name)) {
      const found = knownOperation(document, operationName);
      // A client may send any name, so names without an operation are not kept.
      if (found === undefined) return undefined;
      operations.set(name, found);
    }
    return operations.get(name);
  }

  private compiledOf(
    operation: KnownOperation,
    schema: GraphQLSchema,
    variables: Variables,
  ): CompiledOperation | undefined {
    const { conditions, forms } = operation;
    // Not a boolean: graphql-js reports it.
    if (conditions.some((name) => typeof variables[name] !== 'boolean')) return undefined;
    const form = conditions.map((name) => String(variables[name])).join();
    if (!forms.has(form)) {
      if (forms.size >= MAX_FORMS) return undefined;
      const included: CompilerInput['included'] = (directives) => isIncluded(directives, variables);
      const { maxFields } = this.options;
      const input = { schema, operation, included, maxFields };
      forms.set(form, compileOperation(this.graphqlJit!, input));
    }
    const found = forms.get(form);
    if (found !== undefined) this.keep(operation);
    return found;
  }

  /** Marks an operation as used, and drops the compiled code of the one that was not used for longest. */
  private keep(operation: KnownOperation): void {
    this.compiled.delete(operation);
    this.compiled.add(operation);
    if (this.compiled.size <= this.options.maxOperations) return;
    const [oldest] = this.compiled;
    this.compiled.delete(oldest!);
    oldest!.forms.clear();
    oldest!.runs = 0;
  }
}

/** Returns the variables as graphql-js coerces them; undefined if it refuses them. */
function variablesOf(
  { schema, variableValues }: ExecutionArgs,
  { definition }: KnownOperation,
): Variables | undefined {
  const definitions = definition.variableDefinitions ?? [];
  if (definitions.length === 0) return {};
  const { coerced } = getVariableValues(schema, definitions, variableValues ?? {}, {
    maxErrors: 1,
  });
  return coerced;
}
