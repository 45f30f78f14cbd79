import type { ComponentChildren } from 'preact';

interface Block {
  readonly children?: ComponentChildren;
}

/** A framed part of a view, with a heading. */
export function Panel(
  props: Block & { readonly title?: ComponentChildren; readonly aside?: ComponentChildren },
) {
  return (
    <section class="panel">
      {props.title !== undefined && (
        <header>
          <h2 class="grow cut">{props.title}</h2>
          {props.aside}
        </header>
      )}
      {props.children}
    </section>
  );
}

/** A view that scrolls as a whole, with its title. */
export function Page(
  props: Block & {
    readonly title: string;
    readonly intro: ComponentChildren;
    readonly action?: ComponentChildren;
    /** For a single table, whose columns would be far apart. */
    readonly narrow?: boolean;
  },
) {
  return (
    <div class="view" tabIndex={-1}>
      <div class={props.narrow ? 'pad narrow' : 'pad'}>
        <div class="head">
          <div class="grow">
            <h1>{props.title}</h1>
            <p>{props.intro}</p>
          </div>
          {props.action}
        </div>
        {props.children}
      </div>
    </div>
  );
}

/** A wide table or text that scrolls by itself; keyboards can scroll it, too. */
export function Scroll(props: Block & { readonly label: string; readonly class?: string }) {
  return (
    <div class={`scroll ${props.class ?? ''}`} tabIndex={0} role="region" aria-label={props.label}>
      {props.children}
    </div>
  );
}

/** Nothing to show: the fact, then the next step. */
export function Empty(props: Block & { readonly title: string }) {
  return (
    <div class="empty">
      <h2>{props.title}</h2>
      {props.children}
    </div>
  );
}

/** A boxed remark. */
export function Note(
  props: Block & { readonly look?: 'warn' | 'err'; readonly title?: ComponentChildren },
) {
  return (
    <div class={`note ${props.look ?? ''}`}>
      {props.title !== undefined && <b>{props.title}</b>}
      <span>{props.children}</span>
    </div>
  );
}

/** The panel of a request that got no response. */
export function FailedAnswer(props: { readonly title: string; readonly fault: string }) {
  return (
    <Panel title="Response">
      <div class="body" role="status">
        <Note look="err" title={props.title}>
          {props.fault}
        </Note>
      </div>
    </Panel>
  );
}

/** Text with `code` in back quotes. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split(/`([^`\n]+)`/)
        .map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}
    </>
  );
}

/** Grey bars while something is read. */
export function Skeleton() {
  return (
    <div class="skeleton" aria-busy="true">
      <span class="sr">Loading</span>
      <div class="sk wide" />
      <div class="sk" />
      <div class="sk short" />
    </div>
  );
}
