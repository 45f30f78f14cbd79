/** Returns the name of a decorated class, or `Class.method`. */
export function nameDecorated(target: object, key: string | symbol | undefined): string {
  const { name } = typeof target === 'function' ? target : target.constructor;
  return key === undefined ? name : `${name}.${String(key)}`;
}
