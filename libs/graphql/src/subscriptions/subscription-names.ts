import { Injectable } from '@nestjs/common';

/** The names that the snapshots of sockets and event streams have, each once in an application. */
@Injectable()
export class SubscriptionNames {
  private readonly taken = new Set<string>();

  /** Takes a name, with a number behind it if another endpoint has it. */
  take(name = 'GraphqlSubscriptionsAdapter'): string {
    let free = name;
    for (let number = 2; this.taken.has(free); number += 1) free = `${name}${number}`;
    this.taken.add(free);
    return free;
  }
}
