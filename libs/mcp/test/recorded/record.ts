// Compares responses with a file of recorded ones, and writes the file.
import { readFileSync, writeFileSync } from 'node:fs';

type Responses = readonly object[];
/** The responses of a case, by platform if the platforms differ. */
type Entry = Responses & Readonly<Record<string, Responses | undefined>>;

/** Environment variable that writes the files again. */
export const RECORDS = process.env['RECORD_MCP'] === '1';

/** The recorded responses of one file. */
export class Recording {
  private readonly seen = new Map<string, Map<string, readonly string[]>>();

  constructor(private readonly file: URL) {}

  /** Keeps the responses of a case on a platform. */
  add(platform: string, name: string, responses: readonly string[]): void {
    const found = this.seen.get(platform) ?? new Map<string, readonly string[]>();
    if (found.has(name)) throw new Error(`Two cases have the name ${name}`);
    this.seen.set(platform, found.set(name, responses));
  }

  /** Describes the cases of a platform that differ from the file. */
  differences(platform: string): readonly string[] {
    const recorded = JSON.parse(readFileSync(this.file, 'utf8')) as Record<
      string,
      Entry | undefined
    >;
    const seen = this.seen.get(platform) ?? new Map<string, readonly string[]>();
    return [...new Set([...Object.keys(recorded), ...seen.keys()])].flatMap((name) => {
      const entry = recorded[name];
      const before = (Array.isArray(entry) ? entry : entry?.[platform]) as Responses | undefined;
      const [was, is] = [before?.map((each) => JSON.stringify(each)), seen.get(name)];
      if (JSON.stringify(was) === JSON.stringify(is)) return [];
      return [`${name}\n  recorded: ${was?.join('\n    ')}\n  now:      ${is?.join('\n    ')}`];
    });
  }

  /** Writes the file: a line for each response. */
  write(): void {
    const platforms = [...this.seen];
    const names = [...(platforms[0]?.[1].keys() ?? [])];
    const entries = names.map((name) => {
      const blocks = platforms.map(
        ([platform, cases]) => [platform, block(cases.get(name))] as const,
      );
      const [first] = blocks;
      const same = blocks.every(([, text]) => text === first?.[1]);
      const byPlatform = blocks.map(([platform, text]) => `${JSON.stringify(platform)}: ${text}`);
      return `${JSON.stringify(name)}: ${same ? first?.[1] : `{\n${byPlatform.join(',\n')}\n}`}`;
    });
    writeFileSync(this.file, `{\n${entries.join(',\n')}\n}\n`);
  }
}

function block(responses: readonly string[] = []): string {
  return responses.length === 1 ? `[${responses[0]}]` : `[\n  ${responses.join(',\n  ')}\n]`;
}

/** Names values that differ from run to run, and fills them into later messages. */
export class Names {
  /** The last value of each name. */
  private readonly values = new Map<string, string>();
  private readonly random = new Map<string, string>();

  /** @param isRandom replaces the value in what is recorded */
  learn(name: string, value: string, isRandom = true): void {
    this.values.set(name, value);
    if (isRandom) this.random.set(value, `<${name}>`);
  }

  /** Learns from a message of the server. */
  read(message: unknown): void {
    if (typeof message !== 'object' || message === null) return;
    const { id, method, result } = message as Record<string, unknown>;
    if (typeof method === 'string' && id !== undefined) {
      this.learn('question', JSON.stringify(id), false);
    }
    const { taskId, requestState } = (result ?? {}) as Record<string, unknown>;
    if (typeof taskId === 'string') this.learn('taskId', taskId);
    if (typeof requestState === 'string') this.learn('requestState', requestState);
  }

  fill(text: string): string {
    return [...this.values].reduce(
      (all, [name, value]) => all.replaceAll(`<${name}>`, value),
      text,
    );
  }

  /** JSON with sorted keys, names in place of random values, and long strings cut. */
  json(value: unknown): string {
    const text = [...this.random]
      .reduce((all, [random, name]) => all.replaceAll(random, name), JSON.stringify(value))
      .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, '<uuid>')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replace(/in \d+ seconds?/g, 'in <n> seconds');
    return JSON.stringify(sorted(JSON.parse(text)));
  }
}

function sorted(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.length > 400 ? `${value.slice(0, 200)}... (${value.length} characters)` : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).map(([key, each]) => [key, sorted(each)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
