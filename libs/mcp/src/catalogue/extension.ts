import { type Place, type Rule, readValues } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';
import { placeOf } from '../options/option-rules.js';
import type { ExtensionOptions } from '../options/extension-option.js';
import type { Route } from '../routes/route.js';
import type { ToolOutput } from '../schema/output-schema.js';

/** The part of an extension that changes what is published. It runs once per application, at startup. */
export interface PublishingExtension<Read = unknown, Author = never, Data = unknown> {
  readonly name: string;
  /** Options that it adds to decorators. */
  readonly author?: { readonly tool?: AuthorRules };
  /**
   * Called if the module has the extension.
   * @param options those of the module
   * @throws McpOptionError if they do not fit the options of the server
   */
  publish?(this: void, options: Read, setup: PublishSetup): Publishing<Author, Data>;
}

/** Rules by the names of options. */
type AuthorRules = Readonly<Record<string, Rule<never, unknown>>>;

interface PublishSetup {
  /** Where the option of the module is, for messages. */
  readonly place: Place;
  /** How much of a response the server keeps: `limits.responseBytes`. */
  readonly responseBytes: number;
}

interface Publishing<Author, Data> {
  /**
   * Changes a tool before it is published. If it returns undefined, the extension does nothing for the tool, and calls
   * of the tool cost nothing more.
   * @param own what the author wrote in `@McpTool`. Tools of sources have the defaults
   */
  tool?(this: void, draft: ToolDraft, own: Author): ToolChange<Data> | undefined;
}

/** What extensions see of a tool, and may change. */
export interface ToolDraft {
  readonly route: Route;
  /** The schema that clients get. Calls are validated by the schema of the route. */
  readonly inputSchema: JsonSchema;
  readonly output: ToolOutput | undefined;
  readonly content: 'body' | 'blocks';
  /** Maximum milliseconds of a call. */
  readonly timeoutMs: number;
}

interface ToolChange<Data> {
  readonly draft?: Partial<ToolDraft>;
  /** What the extension needs to know of the tool later. */
  readonly data: Data;
}

/** What extensions need to know of a tool, by their names. Undefined: none of them does anything for the tool. */
export type ToolData = ReadonlyMap<string, unknown> | undefined;

/** Lets extensions change tools. The last one of the list is the first. */
export class ToolExtensions {
  private readonly changes: readonly {
    readonly name: string;
    readonly rules: AuthorRules;
    readonly change: NonNullable<Publishing<never, unknown>['tool']>;
  }[];

  /** @param given the options of the module */
  constructor(
    extensions: readonly PublishingExtension[],
    given: {
      readonly extensions: ExtensionOptions;
      readonly limits: Pick<PublishSetup, 'responseBytes'>;
    },
  ) {
    const { responseBytes } = given.limits;
    this.changes = extensions.toReversed().flatMap(({ name, author, publish }) => {
      const { options, place } = given.extensions.get(name) ?? {};
      const change = place && publish?.(options, { place, responseBytes }).tool;
      return change ? { name, rules: author?.tool ?? {}, change } : [];
    });
  }

  /**
   * @param given the options of `@McpTool`
   * @throws McpError if they do not fit the tool
   */
  extend(tool: ToolDraft, given: object = {}): ToolDraft & { readonly extended: ToolData } {
    const data = new Map<string, unknown>();
    let draft = tool;
    for (const { name, rules, change } of this.changes) {
      const place = placeOf('@McpTool', ` on ${tool.route.label}`);
      const changed = change(draft, readValues(given, rules, place) as never);
      if (changed === undefined) continue;
      data.set(name, changed.data);
      draft = { ...draft, ...changed.draft };
    }
    return { ...draft, extended: data.size === 0 ? undefined : data };
  }
}
