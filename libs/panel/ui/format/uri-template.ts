const EXPRESSION = /\{([+#./;?&]?)([^{}]+)\}/g;

/** The names in a URI template, each once: `tasks://{id}` → `id`. */
export function fieldNamesOf(template: string): readonly string[] {
  const names = [...template.matchAll(EXPRESSION)].flatMap(([, , list = '']) =>
    list.split(',').map(bareName),
  );
  return [...new Set(names)];
}

/**
 * Fills the simple expressions of a URI template (RFC 6570 level 1) and reserved ones (`{+path}`), and
 * queries (`{?a,b}`). A field without a value stays as it is written.
 */
export function expanded(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(EXPRESSION, (written: string, operator: string, list: string) => {
    const names = list.split(',').map(bareName);
    if (names.every((name) => !values[name])) return written;
    const given = names.filter((name) => values[name]);
    if (operator === '?' || operator === '&') {
      const pairs = given.map((name) => `${name}=${encodeURIComponent(values[name] ?? '')}`);
      return `${operator}${pairs.join('&')}`;
    }
    const encode = operator === '+' || operator === '#' ? encodeURI : encodeURIComponent;
    const prefix = operator === '+' ? '' : operator;
    return `${prefix}${given.map((name) => encode(values[name] ?? '')).join(',')}`;
  });
}

function bareName(name: string): string {
  return name.replace(/(\*|:\d+)$/, '');
}
