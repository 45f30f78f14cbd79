/** A message between processes: a tenant changed. */
export interface InvalidationMessage {
  /** Names the sending process. */
  readonly from: string;
  /** The id or an identifier. */
  readonly tenant: string;
}

const VERSION = 1;
const LONGEST = 2_048;

export function textOf({ from, tenant }: InvalidationMessage): string {
  return JSON.stringify({ v: VERSION, from, tenant });
}

/** Returns undefined for a text that is no message. A client that may publish can send anything. */
export function messageIn(text: string): InvalidationMessage | undefined {
  if (text.length > LONGEST) return undefined;
  try {
    const { v, from, tenant } = Object(JSON.parse(text)) as Record<string, unknown>;
    if (v !== VERSION || !isName(from) || !isName(tenant)) return undefined;
    return { from, tenant };
  } catch {
    return undefined;
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
