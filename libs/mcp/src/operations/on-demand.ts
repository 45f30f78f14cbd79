/** A value that is loaded on first use and then shared. A failed load is repeated on the next use. */
export class OnDemand<Value> {
  private value: Value | undefined;
  private loading: Promise<Value> | undefined;

  constructor(private readonly load: () => Promise<Value>) {}

  /** Undefined until it is loaded. */
  get loaded(): Value | undefined {
    return this.value;
  }

  /** @throws the error of the load */
  get(): Promise<Value> {
    this.loading ??= inTurn(this.load).then(
      (value) => (this.value = value),
      (error: unknown) => {
        this.loading = undefined;
        throw error;
      },
    );
    return this.loading;
  }

  /** Waits until a running load succeeds or fails. */
  async settled(): Promise<void> {
    await this.loading?.catch(() => undefined);
  }
}

// One after the other: in parallel, the ESM loader of Jest loses modules that they share.
let last: Promise<unknown> = Promise.resolve();

function inTurn<Value>(load: () => Promise<Value>): Promise<Value> {
  const turn = last.then(load);
  last = turn.catch(() => undefined);
  return turn;
}

/**
 * True if a module can be resolved. False in an application bundled into one file, where only `import()`
 * shows whether it exists.
 */
export function isInstalled(resolve: () => string): boolean {
  try {
    resolve();
    return true;
  } catch {
    return false;
  }
}
