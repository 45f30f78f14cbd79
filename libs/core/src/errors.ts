/** Base class of the errors of core and of the packages that always load it. `code` is stable; messages may change. */
export abstract class FledgeError extends Error {
  abstract readonly code: string;

  override get name(): string {
    return this.constructor.name;
  }
}
