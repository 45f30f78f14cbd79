import { run } from '../../src/program.js';

/** What a command printed, and its exit code. */
export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs `fledge ...` in this process, which loads the program once. Its stdout and stderr are pipes.
 * @param token the value of FLEDGE_MCP_TOKEN
 */
export async function fledgeHere(args: readonly string[], token = ''): Promise<Outcome> {
  const out = capture(process.stdout);
  const err = capture(process.stderr);
  const before = process.env['FLEDGE_MCP_TOKEN'];
  process.env['FLEDGE_MCP_TOKEN'] = token;
  try {
    const code = await run([process.execPath, 'fledge', ...args]);
    return { code, out: out.text(), err: err.text() };
  } finally {
    if (before === undefined) delete process.env['FLEDGE_MCP_TOKEN'];
    else process.env['FLEDGE_MCP_TOKEN'] = before;
    out.restore();
    err.restore();
  }
}

/** Collects what is written to a stream, and hides that the stream is a terminal. */
function capture(stream: NodeJS.WriteStream): { text(): string; restore(): void } {
  const { isTTY } = stream;
  const write = stream.write.bind(stream);
  let printed = '';
  stream.write = (chunk: string | Uint8Array) => {
    printed += String(chunk);
    return true;
  };
  stream.isTTY = false;
  return {
    text: () => printed,
    restore: () => void Object.assign(stream, { write, isTTY }),
  };
}
