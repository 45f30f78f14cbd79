/** A URI template (RFC 6570) that can be matched against URIs. */
export interface UriTemplate {
  /** Parameter names in order of appearance. */
  readonly parameters: readonly string[];
  /** Returns the decoded parameter values in a URI, or undefined if the URI does not match. */
  match(uri: string): Readonly<Record<string, string | readonly string[]>> | undefined;
}

/** The reason why a string with braces is not a supported template. */
export interface RefusedTemplate {
  readonly refused: string;
}

interface Part {
  readonly name: string;
  /** True for `{+name}`, which also matches slashes (RFC 6570 §3.2.3). */
  readonly reserved: boolean;
  /** Literal characters between this parameter and the next. */
  readonly literal: string;
}

/**
 * Parses templates such as `tasks://{id}`, `files://{+path}` and `tasks://search{?status,page}`.
 * Returns undefined for a URI without parameters. The matcher reads a URI only once. Other
 * operators, adjacent parameters and duplicate names are rejected.
 */
export function uriTemplateOf(text: string): UriTemplate | RefusedTemplate | undefined {
  if (!/[{}]/.test(text)) return undefined;
  const [, path = '', query] = /^(.*?)(?:\{\?([^{}]*)\})?$/.exec(text) as RegExpExecArray;
  const [head = '', ...expressions] = path.split('{');
  const parts = expressions.flatMap((expression) => partOf(expression) ?? []);
  const queryNames = query === undefined ? [] : query.split(',');
  const parameters = [...parts.map(({ name }) => name), ...queryNames];
  if (head.includes('}')) return { refused: 'has a "}" without "{"' };
  if (parts.length < expressions.length) return { refused: 'has unbalanced braces' };
  const fault = faultOf(parts, parameters);
  if (fault !== undefined) return { refused: fault };

  return {
    parameters,
    match(uri) {
      const cut = query === undefined ? -1 : uri.indexOf('?');
      const inPath = matchPath(head, parts, cut < 0 ? uri : uri.slice(0, cut));
      const inQuery = matchQuery(queryNames, cut < 0 ? '' : uri.slice(cut + 1));
      return inPath && inQuery && { ...inPath, ...inQuery };
    },
  };
}

/**
 * Parses one parameter and the literal after it. Returns undefined if the braces are unbalanced.
 */
function partOf(expression: string): Part | undefined {
  const [inside = '', literal, ...more] = expression.split('}');
  if (literal === undefined || more.length > 0) return undefined;
  const reserved = inside.startsWith('+');
  return { name: reserved ? inside.slice(1) : inside, reserved, literal };
}

function faultOf(parts: readonly Part[], parameters: readonly string[]): string | undefined {
  const odd = parameters.find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (odd !== undefined) {
    return (
      `contains "{${odd}}", but only {name} and {+name} are supported, and {?name,name} at the ` +
      'end of the URI'
    );
  }
  if (parts.slice(0, -1).some(({ literal }) => literal === '')) {
    return 'has two parameters without a separator such as "/" between them';
  }
  return new Set(parameters).size < parameters.length
    ? 'contains the same parameter twice'
    : undefined;
}

function matchPath(
  head: string,
  parts: readonly Part[],
  uri: string,
): Record<string, string> | undefined {
  if (!uri.startsWith(head)) return undefined;
  const values: Record<string, string> = {};
  const ends = endsOf(parts, uri, head.length);
  let at = head.length;
  for (const [i, { name, reserved, literal }] of parts.entries()) {
    const end = ends[i] ?? -1;
    if (end <= at || !uri.startsWith(literal, end)) return undefined;
    const value = decoded(uri.slice(at, end));
    if (value === undefined || (!reserved && /[/?#&]/.test(uri.slice(at, end)))) return undefined;
    values[name] = value;
    at = end + literal.length;
  }
  return at === uri.length ? values : undefined;
}

/**
 * Returns the end of each value in a URI. The value of `{+name}` may contain the literals of the
 * template. So the values after the last `{+name}` are searched from the end of the URI.
 */
function endsOf(parts: readonly Part[], uri: string, start: number): readonly number[] {
  const lastReserved = parts.findLastIndex(({ reserved }) => reserved);
  const split = lastReserved < 0 ? parts.length - 1 : lastReserved;
  const ends: number[] = [];
  let at = start;
  for (const { literal } of parts.slice(0, split)) {
    const end = uri.indexOf(literal, at + 1);
    ends.push(end);
    at = end + literal.length;
  }
  let next = uri.length + 1;
  for (const { literal } of parts.slice(split).toReversed()) {
    next = uri.lastIndexOf(literal, next - 1 - literal.length);
    ends.splice(split, 0, next);
  }
  return ends;
}

function matchQuery(
  names: readonly string[],
  query: string,
): Record<string, string | string[]> | undefined {
  const given = new URLSearchParams(query);
  if ([...given.keys()].some((name) => !names.includes(name))) return undefined;
  const values = names.map((name): [string, string[]] => [name, given.getAll(name)]);
  return Object.fromEntries(
    values.flatMap(([name, [first, ...more]]): [string, string | string[]][] =>
      first === undefined ? [] : [[name, more.length === 0 ? first : [first, ...more]]],
    ),
  );
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
