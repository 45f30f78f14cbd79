// Compiles the project in a folder. Prints the errors in its own files, and in the @fledge packages
// installed next to it, as JSON. Declarations of other packages are not checked: their errors are
// not ours, and checking them takes most of a minute.
import { dirname, join, sep } from 'node:path';
import ts from 'typescript';

const [folder] = process.argv.slice(2);
const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), (path) =>
  ts.sys.readFile(path),
);
const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
const program = ts.createProgram(fileNames, options);
const place = dirname(folder) + sep;
const ours = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(place));
const found = [
  ...errors,
  ...program.getOptionsDiagnostics(),
  ...ours.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]),
];
// Emits one file at a time: program.emit() without a file would first check all declarations.
if (!options.noEmit)
  for (const file of ours.filter(({ isDeclarationFile }) => !isDeclarationFile)) program.emit(file);
const host = {
  getCurrentDirectory: () => folder,
  getCanonicalFileName: (name) => name,
  getNewLine: () => '\n',
};
console.log(
  JSON.stringify({
    declarations: ours.filter(({ isDeclarationFile }) => isDeclarationFile).length,
    errors: found.map((each) => ts.formatDiagnostic(each, host).trim()),
  }),
);
