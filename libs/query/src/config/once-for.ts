/** Caches the results of `derive` by object identity. The cache does not keep the objects alive. */
export function onceFor<K extends object, V>(derive: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = derive(key);
      known.set(key, value);
    }
    return value;
  };
}

/**
 * Caches the results of `derive` by object identity and by content. An inline object is a new
 * object for each call, so identity is not sufficient. Keeps the last 500 contents.
 *
 * @param contentOf returns the same string for objects with equal results. If it returns undefined,
 * the object is cached by identity only
 */
export function onceForContent<K extends object, V>(
  contentOf: (key: K) => string | undefined,
  derive: (key: K) => V,
): (key: K) => V {
  const known = new Map<string, V>();
  return onceFor((key) => {
    const content = contentOf(key);
    if (content === undefined) return derive(key);
    const found = known.get(content);
    if (found !== undefined) return found;
    const value = derive(key);
    if (known.size >= MOST_CONTENTS) known.delete(known.keys().next().value as string);
    known.set(content, value);
    return value;
  });
}

const MOST_CONTENTS = 500;
