import { describe, expect, it } from '@jest/globals';
import { ClsServiceManager } from 'nestjs-cls';
import {
  asapScheduler,
  finalize,
  map,
  Observable,
  share,
  Subject,
  Subscriber,
  subscribeOn,
  tap,
} from 'rxjs';
import { bindSubscribers } from './bind-subscribers.js';

bindSubscribers();
const cls = ClsServiceManager.getClsService();

/** Runs a function in a store that is known by a name. */
const inside = <T>(name: string, run: () => T): T =>
  cls.run(() => {
    cls.set('name', name);
    return run();
  });
const here = () => cls.get<string | undefined>('name') ?? 'nowhere';

describe('bindSubscribers', () => {
  it.each(['next', 'error', 'complete'] as const)('runs %s where it was subscribed', (step) => {
    const source = new Subject<number>();
    const seen: string[] = [];
    const see = () => void seen.push(here());
    for (const name of ['a', 'b']) {
      inside(name, () =>
        source
          .pipe(
            tap({ [step]: see }),
            map((value) => value),
          )
          .subscribe({ next: () => undefined, error: () => undefined, [step]: see }),
      );
    }
    inside('opener', () => source[step](1));
    expect(seen).toEqual(['a', 'a', 'b', 'b']);
  });

  it('tears down where it was subscribed', () => {
    const seen: string[] = [];
    const source = new Observable(() => () => void seen.push(`source ${here()}`));
    const subscription = inside('a', () =>
      source.pipe(finalize(() => seen.push(`finalize ${here()}`))).subscribe(),
    );
    inside('b', () => subscription.unsubscribe());
    expect(seen.sort()).toEqual(['finalize a', 'source a']);
  });

  it('takes functions, partial observers and none', () => {
    const source = new Subject<number>();
    const seen: unknown[] = [];
    inside('a', () => source.subscribe((value) => seen.push([here(), value])));
    inside('b', () => source.subscribe({ complete: () => seen.push(here()) }));
    inside('c', () => source.subscribe());
    source.next(1);
    source.complete();
    expect(seen).toEqual([['a', 1], 'b']);
  });

  it('begins where it was subscribed, whatever scheduler begins it', async () => {
    const seen = await Promise.all(
      ['a', 'b'].map((name) =>
        inside(
          name,
          () =>
            new Promise((resolve) =>
              new Observable((subscriber) => subscriber.next(here()))
                .pipe(subscribeOn(asapScheduler))
                .subscribe(resolve),
            ),
        ),
      ),
    );
    expect(seen).toEqual(['a', 'b']);
  });

  it('leaves what was subscribed outside of every store to whoever emits', () => {
    const source = new Subject<number>();
    const seen: string[] = [];
    source.pipe(tap(() => seen.push(here()))).subscribe(() => seen.push(here()));
    inside('a', () => source.next(1));
    source.next(2);
    expect(seen).toEqual(['a', 'a', 'nowhere', 'nowhere']);
  });

  it('works above share() for whoever subscribed first, and below it for each', () => {
    const source = new Subject<number>();
    const seen: string[] = [];
    const shared = source.pipe(
      tap(() => seen.push(`above ${here()}`)),
      share(),
    );
    for (const name of ['a', 'b']) {
      inside(name, () => shared.subscribe(() => seen.push(`below ${here()}`)));
    }
    inside('b', () => source.next(1));
    expect(seen).toEqual(['above a', 'below a', 'below b']);
  });

  it('leaves the store of the caller as it was', () => {
    const source = new Subject<number>();
    inside('a', () => source.subscribe());
    inside('b', () => {
      source.next(1);
      expect(here()).toBe('b');
    });
  });

  it('changes RxJS once, however often it is called', () => {
    const methods = () => [Observable.prototype, Subscriber.prototype].map(Object.values);
    const before = methods();
    bindSubscribers();
    expect(methods()).toEqual(before);
  });
});
