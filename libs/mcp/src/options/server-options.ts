import {
  checked,
  filledText,
  group,
  kind,
  listOf,
  oneOf,
  type OptionTable,
  type ReadOptions,
  text,
  texts,
} from '@fledge-internal/options';

/** An icon that a client may show (MCP 2025-11-25, `Icon`). */
export interface McpIcon {
  /** URL of the icon: a `data:` URL, or an `https:` or `http:` URL on the server's host. */
  readonly src: string;
  /** Media type, such as `image/png`. @default the content type of the URL's response */
  readonly mimeType?: string;
  /** Sizes in pixels, such as `48x48`, or `any`. @default any */
  readonly sizes?: readonly string[];
  /** Theme for which the icon is designed. @default both */
  readonly theme?: 'light' | 'dark';
}

/** Information about the server. The information is sent to clients. */
export interface McpServerOptions {
  /** Server name sent to clients. */
  readonly name: string;
  /** Server version sent to clients. @default '0.0.0' */
  readonly version?: string;
  /** Name that clients show to users. @default none: clients show `name` */
  readonly title?: string;
  /** Description of the server. Helps users to choose a server. @default none */
  readonly description?: string;
  /**
   * Instructions for the model, for example which tool to call first. Clients add the instructions
   * to the model's context, so keep them short.
   * @default none
   */
  readonly instructions?: string;
  /** URL of a website about the server. @default none */
  readonly websiteUrl?: string;
  /** Icons that clients may show. @default none */
  readonly icons?: readonly McpIcon[];
}

/** The server information that clients receive (MCP 2025-11-25, `Implementation`). */
export interface McpServerInfo extends Omit<McpServerOptions, 'instructions'> {
  readonly version: string;
}

const ICON = {
  src: urlOf(/^(https?|data):$/, 'an absolute URL with the scheme https:, http: or data:').required,
  mimeType: text.optional,
  sizes: texts.optional,
  theme: oneOf('light', 'dark').optional,
} satisfies OptionTable<McpIcon>;

export const ICONS = checked<readonly McpIcon[]>(
  listOf(group<McpIcon, typeof ICON>(ICON)).required,
).optional;

export const serverName = filledText('a non-empty string: the name sent to clients');

export const SERVER = {
  name: serverName.required,
  version: text.default('0.0.0'),
  title: text.optional,
  description: text.optional,
  instructions: text.optional,
  websiteUrl: urlOf(/^https?:$/, "an absolute URL, such as 'https://example.com'").optional,
  icons: ICONS,
} satisfies OptionTable<McpServerOptions>;

function urlOf(protocol: RegExp, must: string) {
  return kind<string>(
    must,
    (value) =>
      typeof value === 'string' && URL.canParse(value) && protocol.test(new URL(value).protocol),
  );
}

export function serverInfoOf({
  name,
  version,
  title,
  description,
  websiteUrl,
  icons,
}: Omit<ReadOptions<typeof SERVER>, 'instructions'>): McpServerInfo {
  return {
    name,
    version,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(icons !== undefined && {
      icons: icons.map(({ sizes, ...icon }) => ({ ...icon, ...(sizes && { sizes: [...sizes] }) })),
    }),
  };
}
