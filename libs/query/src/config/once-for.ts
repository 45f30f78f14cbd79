/**
 * Caches the results of `derive` by object identity. A cached result is released together with its
 * object.
 */
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
 * Caches the results of `derive` by object identity and by content, because objects that are
 * written inline are created again for each call. Keeps the last 500 contents.
 *
 * @param contentOf returns the same string for objects with equal results, or undefined for an
 * object to be cached by identity only
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
