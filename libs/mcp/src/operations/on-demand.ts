/** Something loaded with its first use, once for all who need it. A load that failed is tried again. */
export class OnDemand<Value> {
  private value: Value | undefined;
  private loading: Promise<Value> | undefined;

  constructor(private readonly load: () => Promise<Value>) {}

  /** Undefined until it is loaded. */
  get loaded(): Value | undefined {
    return this.value;
  }

  /** @throws what the load failed with */
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

  /** Waits for a load under way, however it ends. */
  async settled(): Promise<void> {
    await this.loading?.catch(() => undefined);
  }
}

// One after the other: side by side, the ESM loader of Jest loses modules they share.
let last: Promise<unknown> = Promise.resolve();

function inTurn<Value>(load: () => Promise<Value>): Promise<Value> {
  const turn = last.then(load);
  last = turn.catch(() => undefined);
  return turn;
}

/** Whether a module is found. Not in an application bundled into one file: there only `import()` can tell. */
export function isInstalled(resolve: () => string): boolean {
  try {
    resolve();
    return true;
  } catch {
    return false;
  }
}
