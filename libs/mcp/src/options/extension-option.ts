import type { Place, Rule } from '@fledge-internal/options';

/** The option of an extension. */
export interface ExtensionOption<Given = never, Read = unknown> {
  /** Name of the extension. If the extension has an option, the option has the same name. */
  readonly name: string;
  /**
   * Checks the option in `McpModule.forRoot()` and in each entry of `endpoints`. If the rule
   * returns undefined, the extension is disabled at the endpoint. If there is no rule, the
   * extension is enabled at every endpoint.
   */
  readonly option?: Rule<Given | undefined, Read | undefined>;
  /** `module`: entries of `endpoints` must not set the option. */
  readonly scope?: 'module';
}

export function optionNames(extensions: readonly ExtensionOption[]): readonly string[] {
  return extensions.flatMap(({ name, option }) => (option ? name : []));
}

/** Options by extension name. Contains the extensions that are enabled at an endpoint. */
export type ExtensionOptions = ReadonlyMap<string, PlacedOptions>;

interface PlacedOptions {
  readonly options: unknown;
  /** Path of the option, such as `search` or `endpoints[0].search`. */
  readonly place: Place;
}

/**
 * Reads the extension options of the module, or of one endpoint.
 * @param inherited options of the module. Used if an endpoint omits an option
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
    // The cast is safe: the rule checks the type at run time.
    const options = option.read(own as undefined, at);
    if (options === undefined) found.delete(name);
    else found.set(name, { options, place: at });
  }
  return found;
}
