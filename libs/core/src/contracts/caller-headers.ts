import { Injectable } from '@nestjs/common';

/**
 * The request headers that identify the caller, such as the header with the tenant. A package that
 * sends a request on behalf of a caller, such as a tool call, copies these headers to it.
 */
@Injectable()
export class CallerHeaders {
  private readonly known = new Set<string>();

  /** Lower-cased, in the order they were added. */
  get names(): readonly string[] {
    return [...this.known];
  }

  add(name: string): void {
    this.known.add(name.toLowerCase());
  }
}
