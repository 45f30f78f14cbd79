import { parse, type Token } from 'path-to-regexp';
import type { PathParameter } from './route.js';

/**
 * Returns the parameters of a path in path-to-regexp 8 syntax, in order: `/files/:owner{/*path}`
 * has `owner` and the optional wildcard `path`.
 * @throws TypeError if the path is invalid. The router rejects the same paths
 */
export function pathParametersOf(path: string): PathParameter[] {
  return parametersIn(parse(path).tokens, 'required');
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
