/** A function that works each object out once, and lets go of the result with the object. */
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
 * `onceFor`, for objects that are written where they are used, and so made anew at each call: an object of the
 * same content gives the result of the first. Keeps the last 500 contents.
 *
 * @param contentOf equal for two objects of the same result; undefined for an object that has no such text
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
