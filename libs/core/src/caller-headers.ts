import { Injectable } from '@nestjs/common';

/**
 * The headers that tell for whom a request is made, such as the one that names a tenant. Who makes
 * a request on behalf of a caller, as a tool call does, carries them over.
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
