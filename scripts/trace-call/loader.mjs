// Module hooks of Node.js: run the TypeScript of the packages, in which each function reports that it was entered.
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

/** Adds a call of `globalThis.entered` with the name of the file to each function. */
function withReports(text, file) {
  const report = `globalThis.entered?.(${JSON.stringify(file)})`;
  const additions = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const { body } = node;
      if (ts.isBlock(body)) {
        // A constructor of a subclass does nothing before `super()`.
        const first = body.statements.find((each) => each.getText().startsWith('super('));
        additions.push([first?.end ?? body.getStart() + 1, ` ${report};`]);
      } else {
        additions.push([body.getStart(), `(${report}, `], [body.end, ')']);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true));
  // From the end, so that positions stay valid. Of two at one position, the inner one was found last.
  additions.sort(([left], [right]) => right - left);
  return additions.reduce((so, [at, added]) => so.slice(0, at) + added + so.slice(at), text);
}
