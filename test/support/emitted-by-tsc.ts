import ts from 'typescript';

/**
 * Runs source as tsc compiles it. Specs are compiled by swc, which emits `Object` for most types of decorated
 * parameters where tsc emits what the type is.
 *
 * @param modules what the source may import
 * @returns what the source exports
 */
export function emittedByTsc(
  source: string,
  modules: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2023,
      strict: true,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  });
  const exported: Record<string, unknown> = {};
  // Of this realm: a context of node:vm has another Function and another Map than Nest sees here.
  // oxlint-disable-next-line typescript/no-implied-eval
  const run = new Function('exports', 'require', outputText) as (...args: unknown[]) => void;
  run(exported, (name: string) => {
    if (!(name in modules)) throw new Error(`The source imports ${name}, which it was not given.`);
    return modules[name];
  });
  return exported;
}
