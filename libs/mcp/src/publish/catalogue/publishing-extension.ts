import { type Place, type Rule, readValues } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';
import { placeOf } from '../../options/option-rules.js';
import type { ExtensionOptions } from '../../options/extension-option.js';
import type { Route } from '../routes/route.js';
import type { ToolOutput } from '../schema/output-schema.js';
import type { ListEntry } from './list-entry.js';
import { assertToolName } from './tool-name.js';

/**
 * The part of an extension that changes tools, resources and prompts when they are published. It
 * runs once per application, at startup.
 */
export interface PublishingExtension<
  Read = unknown,
  Author = never,
  Data = unknown,
  ResourceAuthor = never,
  ResourceData = unknown,
  PromptAuthor = never,
> {
  readonly name: string;
  /** Options that the extension adds to decorators. */
  readonly author?: Partial<DecoratorRules>;
  /**
   * Called if the extension is enabled for the module.
   * @param options the module's options for the extension
   * @throws McpError if these options conflict with other options of the server
   */
  publish?(
    this: void,
    options: Read,
    setup: PublishSetup,
  ): OrPromise<Publishing<Author, Data, ResourceAuthor, ResourceData, PromptAuthor>>;
  /**
   * Returns the tool name for one endpoint. Called only if the endpoint enables the extension.
   * @param options the endpoint's options for the extension
   */
  nameTool?(this: void, options: Read, tool: NamedTool): string;
}

type OrPromise<Value> = Value | Promise<Value>;

/** The properties of a tool. Extensions can derive a name from them. */
interface NamedTool {
  readonly name: string;
  readonly route: Route;
  /** The tool source. Undefined if the tool is a controller route. */
  readonly source: object | undefined;
}

/** Rules by option name. */
type AuthorRules = Readonly<Record<string, Rule<never, unknown>>>;

interface DecoratorRules {
  readonly tool: AuthorRules;
  readonly resource: AuthorRules;
  readonly prompt: AuthorRules;
}

interface PublishSetup {
  /** Path of the module's option, for error messages. */
  readonly place: Place;
  /** Maximum bytes of a response that the server reads: `limits.responseBytes`. */
  readonly responseBytes: number;
}

interface Publishing<Author, Data, ResourceAuthor, ResourceData, PromptAuthor = never> {
  /**
   * Changes a tool before it is published. If this function returns undefined, the extension
   * ignores the tool and its calls.
   * @param own the extension's options in `@McpTool`. Tools from a tool source always have the
   * default options
   */
  tool?(this: void, draft: ToolDraft, own: Author): Change<ToolDraft, Data> | undefined;
  /**
   * Changes a resource before it is published.
   * @param own the options in `@McpResource`
   */
  resource?(
    this: void,
    draft: ResourceDraft,
    own: ResourceAuthor,
  ): Change<ResourceDraft, ResourceData> | undefined;
  /**
   * Changes a prompt before it is published.
   * @param own the options in `@McpPrompt`
   */
  prompt?(
    this: void,
    draft: PromptDraft,
    own: PromptAuthor,
  ): Change<PromptDraft, unknown> | undefined;
  /** Resources without a route that the extension adds. */
  readonly resources?: readonly AddedResource<ResourceData>[];
  /** Parts of the extension, such as a server, that endpoints select by tags. */
  readonly tagged?: readonly TaggedPart[];
  /**
   * Returns the URIs of the resources that the tool needs. An endpoint with the tool also publishes
   * these resources.
   */
  brings?(this: void, data: Data): readonly string[];
  /**
   * Called when everything is published.
   * @throws McpError if tools and resources are inconsistent
   */
  check?(this: void, published: CheckedParts<Data, ResourceData>): void;
}

/** The properties of a tool. Extensions can read and change them. */
export interface ToolDraft {
  readonly route: Route;
  /**
   * The schema that clients receive. Calls are validated against the schema of the route instead.
   */
  readonly inputSchema: JsonSchema;
  readonly output: ToolOutput | undefined;
  readonly content: 'body' | 'blocks';
  /** Timeout of a call in milliseconds. */
  readonly timeoutMs: number;
  /** False if the tool is hidden from models. */
  readonly forModels: boolean;
}

/** The properties of a resource. Extensions can read and change them. */
export interface ResourceDraft {
  readonly route: Route;
  readonly uri: string;
  /** True if the URI has parameters. */
  readonly isTemplate: boolean;
  readonly mimeType: string | undefined;
}

/** The properties of a prompt. Extensions can read them. */
export interface PromptDraft {
  readonly route: Route;
}

interface Change<Draft, Data> {
  readonly draft?: Partial<Draft>;
  /** Fields to add to the entry in the list. */
  readonly entry?: ListEntry;
  /** Data that the extension needs later. */
  readonly data: Data;
}

/** A resource without a route. */
export interface AddedResource<Data = unknown> {
  /** The place of the declaration. Error messages name it. */
  readonly place: string;
  readonly uri: string;
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly mimeType: string;
  readonly text: string;
  readonly data: Data;
}

/** A part of an extension. The extension itself publishes it at the endpoints that select it. */
export interface TaggedPart {
  /** The place of the declaration. Warnings name it. */
  readonly place: string;
  readonly tags: readonly string[];
}

/** The tools and resources for which the extension returned data. */
interface CheckedParts<Data, ResourceData> {
  readonly tools: readonly { readonly label: string; readonly data: Data }[];
  readonly resources: readonly { readonly uri: string; readonly data: ResourceData }[];
}

/**
 * Data that extensions stored for a tool or resource, by extension name. Undefined if no extension
 * stored data.
 */
export type ExtensionData = ReadonlyMap<string, unknown> | undefined;

interface NamedPublishing extends Publishing<never, unknown, never, unknown, never> {
  readonly name: string;
  readonly author: PublishingExtension['author'];
}

/**
 * Lets extensions change tools, resources and prompts. The last extension in the list runs first.
 */
export class PublishingExtensions {
  private constructor(
    private readonly all: readonly NamedPublishing[],
    /** The options that extensions add to decorators. */
    readonly rules: DecoratorRules,
    private readonly naming: readonly PublishingExtension[],
  ) {}

  /**
   * @param given the options of the module
   * @throws McpError if the options of extensions conflict with other options
   */
  static async create(
    extensions: readonly PublishingExtension[],
    given: {
      readonly extensions: ExtensionOptions;
      readonly limits: Pick<PublishSetup, 'responseBytes'>;
    },
  ): Promise<PublishingExtensions> {
    const { responseBytes } = given.limits;
    const all: NamedPublishing[] = [];
    for (const { name, author, publish } of extensions.toReversed()) {
      const { options, place } = given.extensions.get(name) ?? {};
      if (place && publish) {
        all.push({ name, author, ...(await publish(options, { place, responseBytes })) });
      }
    }
    const rulesFor = (decorator: keyof DecoratorRules) =>
      Object.assign({}, ...extensions.map(({ author }) => author?.[decorator])) as AuthorRules;
    const rules = {
      tool: rulesFor('tool'),
      resource: rulesFor('resource'),
      prompt: rulesFor('prompt'),
    };
    return new PublishingExtensions(
      all,
      rules,
      extensions.filter(({ nameTool }) => nameTool),
    );
  }

  /**
   * Returns a copy of a tool. The copy has the tool name for the endpoint.
   * @param given the extension options of the endpoint
   * @throws ToolNameError if clients would reject the name
   */
  named<Named extends NamedTool>(tool: Named, given: ExtensionOptions): Named {
    const name = this.naming.reduce((before, { name: extension, nameTool }) => {
      const placed = given.get(extension);
      return placed && nameTool ? nameTool(placed.options, { ...tool, name: before }) : before;
    }, tool.name);
    assertToolName(name, tool.route.label);
    return name === tool.name ? tool : { ...tool, name };
  }

  /** Resources without a route, with the data that extensions stored for them. */
  get added(): readonly (AddedResource & { readonly extended: ExtensionData })[] {
    return this.all.flatMap(({ name, resources = [] }) =>
      resources.map((added) => ({ ...added, extended: new Map([[name, added.data]]) })),
    );
  }

  /** The parts of extensions that endpoints select by tags. */
  get tagged(): readonly TaggedPart[] {
    return this.all.flatMap(({ tagged = [] }) => tagged);
  }

  /**
   * @param given the options of `@McpTool`
   * @throws McpError if the options conflict with the tool
   */
  extendTool(tool: ToolDraft, given: object = {}): Extended<ToolDraft> {
    const place = placeOf('@McpTool', ` on ${tool.route.label}`);
    return this.extend(tool, ({ tool: change, author }, draft) =>
      change?.(draft, readValues(given, author?.tool ?? {}, place) as never),
    );
  }

  /**
   * @param given the options of `@McpResource`
   * @throws McpError if the options conflict with the resource
   */
  extendResource(resource: ResourceDraft, given: object): Extended<ResourceDraft> {
    const place = placeOf('@McpResource', ` on ${resource.route.label}`);
    return this.extend(resource, ({ resource: change, author }, draft) =>
      change?.(draft, readValues(given, author?.resource ?? {}, place) as never),
    );
  }

  /**
   * @param given the options of `@McpPrompt`
   * @throws McpError if the options conflict with the prompt
   */
  extendPrompt(prompt: PromptDraft, given: object): Extended<PromptDraft> {
    const place = placeOf('@McpPrompt', ` on ${prompt.route.label}`);
    return this.extend(prompt, ({ prompt: change, author }, draft) =>
      change?.(draft, readValues(given, author?.prompt ?? {}, place) as never),
    );
  }

  /**
   * Returns the URIs of the resources that a tool needs. An endpoint with the tool also publishes
   * these resources.
   */
  broughtBy({ extended }: { readonly extended: ExtensionData }): readonly string[] {
    return this.all.flatMap(({ name, brings }) =>
      extended?.has(name) ? (brings?.(extended.get(name)) ?? []) : [],
    );
  }

  /** @throws McpError if tools and resources are inconsistent */
  check({ tools, resources }: ExtendedParts): void {
    for (const { name, check } of this.all) {
      check?.({
        tools: tools.flatMap(({ route: { label }, extended }) =>
          extended?.has(name) ? { label, data: extended.get(name) } : [],
        ),
        resources: resources.flatMap(({ uri, extended }) =>
          extended?.has(name) ? { uri, data: extended.get(name) } : [],
        ),
      });
    }
  }

  private extend<Draft>(
    given: Draft,
    change: (by: NamedPublishing, draft: Draft) => Change<Draft, unknown> | undefined,
  ): Extended<Draft> {
    const data = new Map<string, unknown>();
    let draft = given;
    let entry: ListEntry = {};
    for (const by of this.all) {
      const changed = change(by, draft);
      if (changed === undefined) continue;
      data.set(by.name, changed.data);
      draft = { ...draft, ...changed.draft };
      entry = withEntry(entry, changed.entry);
    }
    return { ...draft, entry, extended: data.size === 0 ? undefined : data };
  }
}

/** The parts of a catalogue that extensions check. */
interface ExtendedParts {
  readonly tools: readonly {
    readonly route: Pick<Route, 'label'>;
    readonly extended: ExtensionData;
  }[];
  readonly resources: readonly { readonly uri: string; readonly extended: ExtensionData }[];
}

type Extended<Draft> = Draft & { readonly extended: ExtensionData; readonly entry: ListEntry };

/** Merges two entries, including the fields of `_meta`. */
function withEntry(entry: ListEntry, added: ListEntry = {}): ListEntry {
  const { _meta: meta } = added;
  return { ...entry, ...added, ...(meta && { _meta: { ...entry._meta, ...meta } }) };
}
