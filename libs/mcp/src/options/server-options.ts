import type { KnownOptions } from '@fledge/core/packages';
import { bad } from './bad-option.js';

// What clients are told about a server, checked and with its defaults.

/** An icon that a client may show (MCP 2025-11-25, `Icon`). */
export interface McpIcon {
  /** URL with `https:` or `http:`, of the same host as the server, or a `data:` URL. */
  readonly src: string;
  /** Media type, such as `image/png`. @default the type that the URL answers with */
  readonly mimeType?: string;
  /** Sizes in pixels, such as `48x48`, or `any`. @default any */
  readonly sizes?: readonly string[];
  /** The background that the icon is made for. @default both */
  readonly theme?: 'light' | 'dark';
}

/** What clients are told about the server. */
export interface McpServerOptions {
  /** Server name sent to clients. */
  readonly name: string;
  /** Server version sent to clients. @default '0.0.0' */
  readonly version?: string;
  /** Name that clients show to people. @default none: they show `name` */
  readonly title?: string;
  /** What the server is, for the people who choose it. @default none */
  readonly description?: string;
  /**
   * How a model should use the tools, such as which one to call first. Clients add it to the model's
   * context, so keep it short.
   * @default none
   */
  readonly instructions?: string;
  /** Address of a page about the server. @default none */
  readonly websiteUrl?: string;
  /** Icons that clients may show. @default none */
  readonly icons?: readonly McpIcon[];
}

/** The server as it introduces itself to clients (MCP 2025-11-25, `Implementation`). */
export interface McpServerInfo extends Omit<McpServerOptions, 'instructions' | 'icons'> {
  readonly version: string;
  /** The types of the SDKs ask for lists that can change. */
  icons?: (Omit<McpIcon, 'sizes'> & { sizes?: string[] })[];
}

export const ICON: KnownOptions<McpIcon> = { src: true, mimeType: true, sizes: true, theme: true };

export const SERVER: KnownOptions<McpServerOptions> = {
  name: true,
  version: true,
  title: true,
  description: true,
  instructions: true,
  websiteUrl: true,
  icons: true,
};

/**
 * @param place of the options in those of the module: empty, or `endpoints[0].`
 * @throws McpOptionError for an empty name, or a URL that clients would refuse
 */
export function serverInfoOf(options: McpServerOptions, place = ''): McpServerInfo {
  const { name, version = '0.0.0', title, description, websiteUrl, icons } = options;
  if (!name) throw bad(`${place}name`, name, 'a non-empty string: the name told to clients');
  if (websiteUrl !== undefined && !isUrl(websiteUrl, /^https?:$/)) {
    throw bad(`${place}websiteUrl`, websiteUrl, "an absolute URL, such as 'https://example.com'");
  }
  for (const [i, { src }] of (icons ?? []).entries()) {
    if (isUrl(src, /^(https?|data):$/)) continue;
    throw bad(`${place}icons[${i}].src`, src, 'an absolute URL with https:, http: or data:');
  }
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

function isUrl(value: string, protocol: RegExp): boolean {
  return URL.canParse(value) && protocol.test(new URL(value).protocol);
}
