// Says what a long step does and how far it is: on a terminal in one line that changes, in a log in lines of their own.
const SECONDS_BETWEEN_LINES = 10;

/**
 * Runs a step.
 * @param does such as `Installing 318 packages`
 * @param work the step, given a function that sets how far it is, such as `120 of 318`
 * @returns what `work` returns
 */
export async function step(does, work) {
  const out = process.stderr;
  const start = Date.now();
  const seconds = () => Math.round((Date.now() - start) / 1000);
  let far = '';
  let said = 0;
  const line = () => [does, ...(far ? [far] : []), `${seconds()} s`].join(', ');
  const tick = () => {
    if (out.isTTY) out.write(`\r\u001b[K${line().slice(0, (out.columns || 80) - 1)}`);
    else if (seconds() - said >= SECONDS_BETWEEN_LINES) {
      said = seconds();
      out.write(`${line()}\n`);
    }
  };
  if (!out.isTTY) out.write(`${does} ...\n`);
  const timer = setInterval(tick, 250);
  try {
    const result = await work((text) => (far = text));
    if (out.isTTY) out.write('\r\u001b[K');
    out.write(`${does}: done in ${seconds()} s\n`);
    return result;
  } catch (error) {
    if (out.isTTY) out.write('\r\u001b[K');
    out.write(`${does}: failed after ${seconds()} s\n`);
    throw error;
  } finally {
    clearInterval(timer);
  }
}
