// Module hooks of Node.js that run the TypeScript sources of the packages. They change each
// function to report when it is entered.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { listEntries, listPackages } from '../entries.mjs';

const root = new URL('../../', import.meta.url);
const sources = new Map(
  listPackages()
    .flatMap(listEntries)
    .map(({ name, source }) => [name, new URL(source, root).href]),
);

export function resolve(specifier, context, next) {
  const url = sources.get(specifier);
  if (url !== undefined) return { url, shortCircuit: true };
  const isOwn = context.parentURL?.endsWith('.ts') && specifier.startsWith('.');
  return next(isOwn ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const fileName = fileURLToPath(url);
  const source = withReports(readFileSync(fileName, 'utf8'), url.replace(root.href, ''));
  const { outputText } = ts.transpileModule(source, {
    fileName,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  });
  return { format: 'module', source: outputText, shortCircuit: true };
}

/** Inserts a call of `globalThis.entered` with the file name into each function. */
function withReports(text, file) {
  const report = `globalThis.entered?.(${JSON.stringify(file)})`;
  const additions = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const { body } = node;
      if (ts.isBlock(body)) {
        // In the constructor of a subclass, the call must come after `super()`.
        const first = body.statements.find((each) => each.getText().startsWith('super('));
        additions.push([first?.end ?? body.getStart() + 1, ` ${report};`]);
      } else {
        additions.push([body.getStart(), `(${report}, `], [body.end, ')']);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true));
  // Starts at the end, so positions stay valid. If two positions are equal, the inner function was
  // found last.
  additions.sort(([left], [right]) => right - left);
  return additions.reduce((so, [at, added]) => so.slice(0, at) + added + so.slice(at), text);
}
