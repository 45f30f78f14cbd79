import type { ComponentChildren } from 'preact';

interface Block {
  readonly children?: ComponentChildren;
}

/** A framed section of a view, with a heading. */
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

/** A view with a title that scrolls as a whole. */
export function Page(
  props: Block & {
    readonly title: string;
    readonly intro: ComponentChildren;
    readonly action?: ComponentChildren;
    /** Limits the width, for a single table whose columns would otherwise be far apart. */
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

/** A container for wide content that scrolls on its own. Keyboard users can scroll it too. */
export function Scroll(props: Block & { readonly label: string; readonly class?: string }) {
  return (
    <div class={`scroll ${props.class ?? ''}`} tabIndex={0} role="region" aria-label={props.label}>
      {props.children}
    </div>
  );
}

/** An empty state: says that there is nothing to show, and what to do next. */
export function Empty(props: Block & { readonly title: string }) {
  return (
    <div class="empty">
      <h2>{props.title}</h2>
      {props.children}
    </div>
  );
}

/** A note in a box. */
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

/** The panel for a request that got no response. */
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

/** Renders text in backquotes as code. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split(/`([^`\n]+)`/)
        .map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}
    </>
  );
}

/** Gray bars that are shown while data loads. */
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
