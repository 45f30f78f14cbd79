import ts from 'typescript';

/**
 * Compiles source with tsc, without type checking. Specs are compiled by swc instead. For most
 * types of decorated parameters, swc emits `Object` where tsc emits the actual type.
 */
export function emitByTsc(source: string, module: 'ESNext' | 'CommonJS'): string {
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      module: ts.ModuleKind[module],
      target: ts.ScriptTarget.ES2023,
      strict: true,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  });
  return outputText;
}

/**
 * Compiles source with tsc and runs it.
 *
 * @param modules the modules that the source may import
 * @returns the exports of the source
 */
export function emittedByTsc(
  source: string,
  modules: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const outputText = emitByTsc(source, 'CommonJS');
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
