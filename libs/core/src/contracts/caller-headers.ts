import { Injectable } from '@nestjs/common';

/**
 * The request headers that identify the caller, such as the tenant header. A package that sends a
 * request for a caller copies these headers. A tool call is such a request.
 */
@Injectable()
export class CallerHeaders {
  private readonly known = new Set<string>();

  /** Header names in lower case, in the order in which they were added. */
  get names(): readonly string[] {
    return [...this.known];
  }

  add(name: string): void {
    this.known.add(name.toLowerCase());
  }
}
