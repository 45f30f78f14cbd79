/**
 * Formats checked more loosely than their names promise. In 2020-12 `format` is a hint to the
 * caller, and the validators behind the route accept more than the RFCs do: class-validator takes
 * `example.com` as a URL, `2020-W01` as a date and `ü@example.com` as an address. An argument must
 * not be refused here that the route would take, so only what is clearly something else is.
 */
export const LOOSE_FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => /^[\s\S]*[^@]@[^\s@]+>?$/.test(text),
  'idn-email': (text) => /^[\s\S]*[^@]@[^\s@]+>?$/.test(text),
  uri: (text) => /^\S+$/.test(text),
  'uri-reference': (text) => /^\S*$/.test(text),
  'date-time': (text) =>
    /^[+-]?\d{4}[\dTWZtwz:.,+\s-]*$/.test(text) || !Number.isNaN(Date.parse(text)),
  ipv6: (text) => /^[\da-f:.]*:[\da-f:.]*:[\da-f:.]*(%[\da-z.]+)?$/i.test(text),
};

/** Formats checked as ajv-formats defines them. Any other is a hint only. */
export const STRICT_FORMATS = [
  'date',
  'time',
  'duration',
  'ipv4',
  'uuid',
  'json-pointer',
  'regex',
] as const;
