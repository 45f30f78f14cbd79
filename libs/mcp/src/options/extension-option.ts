import type { Place, Rule } from '@fledge-internal/options';

/** Describes the option of an extension. */
export interface ExtensionOption<Given = never, Read = unknown> {
  /** Name of the extension and of its option, if it has one. */
  readonly name: string;
  /**
   * Reads the option in `McpModule.forRoot()` and in each of `endpoints`. If the rule returns
   * undefined, the extension is disabled for the endpoint. Without a rule, the extension is enabled
   * for each endpoint.
   */
  readonly option?: Rule<Given | undefined, Read | undefined>;
  /** `module`: the option is not accepted in endpoints. */
  readonly scope?: 'module';
}

/** Returns the names of the extension options. */
export function optionNames(extensions: readonly ExtensionOption[]): readonly string[] {
  return extensions.flatMap(({ name, option }) => (option ? name : []));
}

/** The options of the extensions that are enabled for an endpoint, by extension name. */
export type ExtensionOptions = ReadonlyMap<string, PlacedOptions>;

interface PlacedOptions {
  readonly options: unknown;
  /** Path of the option: `search`, or `endpoints[0].search`. */
  readonly place: Place;
}

/**
 * Reads the extension options of the module or of an endpoint.
 * @param inherited options of the module, used for options that an endpoint omits
 * @throws McpOptionError for an invalid value
 */
export function readExtensionOptions(
  extensions: readonly ExtensionOption[],
  given: object,
  place: Place,
  inherited?: ExtensionOptions,
): ExtensionOptions {
  const found = new Map(inherited);
  for (const { name, option } of extensions) {
    const at = place.at(name);
    if (!option) {
      found.set(name, { options: undefined, place: at });
      continue;
    }
    const own = (given as Readonly<Record<string, unknown>>)[name];
    if (own === undefined && inherited) continue;
    // The rule checks the type.
    const options = option.read(own as undefined, at);
    if (options === undefined) found.delete(name);
    else found.set(name, { options, place: at });
  }
  return found;
}
