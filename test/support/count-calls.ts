type Method = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Counts the calls of a method during synchronous work. Unlike a duration, the count does not
 * depend on the speed of the machine.
 */
export function countCalls(target: object, name: string, work: () => void): number {
  const methods = target as Record<string, Method>;
  const original = methods[name]!;
  let calls = 0;
  methods[name] = function (...args) {
    calls += 1;
    return original.apply(this, args);
  };
  try {
    work();
  } finally {
    methods[name] = original;
  }
  return calls;
}
