const EXPRESSION = /\{([+#./;?&]?)([^{}]+)\}/g;

/** Returns the names in a URI template without duplicates: `id` for `tasks://{id}`. */
export function fieldNamesOf(template: string): readonly string[] {
  const names = [...template.matchAll(EXPRESSION)].flatMap(([, , list = '']) =>
    list.split(',').map(bareName),
  );
  return [...new Set(names)];
}

/**
 * Fills in a URI template: `{id}`, `{+path}` and `{?a,b}`. An expression without a value stays
 * unchanged.
 */
export function expanded(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(EXPRESSION, (written: string, operator: string, list: string) => {
    const given = list
      .split(',')
      .map(bareName)
      .filter((name) => values[name]);
    if (given.length === 0) return written;
    const encode = operator === '+' ? encodeURI : encodeURIComponent;
    const isQuery = operator === '?';
    const texts = given.map((name) => `${isQuery ? `${name}=` : ''}${encode(values[name] ?? '')}`);
    return isQuery ? `?${texts.join('&')}` : texts.join(',');
  });
}

function bareName(name: string): string {
  return name.replace(/(\*|:\d+)$/, '');
}
