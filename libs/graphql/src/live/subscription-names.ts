import { Injectable } from '@nestjs/common';

/** Assigns the names of subscription snapshots, each unique in the application. */
@Injectable()
export class SubscriptionNames {
  private readonly taken = new Set<string>();

  /** Reserves a name. Appends a number if another endpoint has it. */
  take(name = 'GraphqlSubscriptionsAdapter'): string {
    let free = name;
    for (let number = 2; this.taken.has(free); number += 1) free = `${name}${number}`;
    this.taken.add(free);
    return free;
  }
}
