import { compile, parse, type Token, type TokenData } from 'path-to-regexp';
import type { PathParameter } from './route.js';

/**
 * Returns the parameters of a path, in order: `/files/:owner{/*path}` has `owner` and the optional
 * wildcard `path`. Returns undefined if the path cannot be parsed.
 */
export function pathParametersOf(path: string): PathParameter[] | undefined {
  try {
    return parametersIn(parsed(path).tokens, 'required');
  } catch {
    return undefined;
  }
}

/** Returns a function that fills in the parameters of a path. The values are not encoded. */
export function pathFillerOf(path: string): (values: Record<string, string>) => string {
  return compile(parsed(path), { encode: false });
}

/** Parses a path in path-to-regexp 8 syntax, or else in the syntax of Fastify's router. */
function parsed(path: string): TokenData {
  try {
    return parse(path);
  } catch {
    return parse(fromFastify(path));
  }
}

/**
 * Converts the syntax of Fastify's router (find-my-way) to path-to-regexp: `:id(^\\d+$)` becomes
 * `:id`, `/:page?` becomes `{/:page}`, and `::` becomes an escaped colon. Other special characters
 * are plain text in find-my-way, unless they follow a parameter.
 */
function fromFastify(path: string): string {
  return path
    .replace(/(:\w+)\((?:\\.|[^()\\]|\((?:\\.|[^()\\])*\))*\)/g, '$1')
    .replace(/(\/:\w+)\?$/, '{$1}')
    .replaceAll('::', String.raw`\:`)
    .replaceAll(/(?<!:\w+)[()[\]?+!]/g, String.raw`\$&`);
}

function parametersIn(
  tokens: readonly Token[],
  presence: 'required' | 'optional',
): PathParameter[] {
  return tokens.flatMap((token): PathParameter[] => {
    switch (token.type) {
      case 'param':
        return [{ name: token.name, kind: 'segment', optional: presence === 'optional' }];
      case 'wildcard':
        return [{ name: token.name, kind: 'wildcard', optional: presence === 'optional' }];
      case 'group':
        return parametersIn(token.tokens, 'optional');
      case 'text':
        return [];
    }
  });
}
