import type { Place, Rule } from '@fledge-internal/options';

/** The part of an extension that reads its option. */
export interface ExtensionOption<Given = never, Read = unknown> {
  /** Also the name of its option, if it has one. */
  readonly name: string;
  /**
   * Reads its option in `McpModule.forRoot()` and in each of `endpoints`. If that returns undefined, the endpoint does
   * without the extension. Without a rule, each endpoint has the extension.
   */
  readonly option?: Rule<Given | undefined, Read | undefined>;
  /** `module`: endpoints do not accept the option. */
  readonly scope?: 'module';
}

/** The names of the options of extensions. */
export function optionNames(extensions: readonly ExtensionOption[]): readonly string[] {
  return extensions.flatMap(({ name, option }) => (option ? name : []));
}

/** The options of the extensions that an endpoint has, by the names of the extensions. */
export type ExtensionOptions = ReadonlyMap<string, PlacedOptions>;

interface PlacedOptions {
  readonly options: unknown;
  /** Where the option is: `search`, or `endpoints[0].search`. */
  readonly place: Place;
}

/**
 * Reads the options of extensions in the options of the module or of an endpoint.
 * @param inherited those of the module, for what an endpoint leaves out
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
