/** Caches the results of `derive` by object identity. The cache does not keep the objects alive. */
export function cacheByObject<K extends object, V>(derive: (key: K) => V): (key: K) => V {
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
