// What the tutorials tell their readers to write and to type, in order.
import assert from 'node:assert/strict';

export const TUTORIALS = ['docs/pages/tutorials/agent.md', 'docs/pages/tutorials/tenants.md'];

/**
 * Reads a tutorial. A block of code is a file, whose name is its first line; a block of commands may have their output
 * after it.
 * @returns steps: `{ file, text }`, or `{ commands, output }`
 * @throws if a block is neither
 */
export function stepsOf(markdown) {
  const steps = [];
  for (const [, language, text] of markdown.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)) {
    if (language === 'sh') steps.push({ commands: text.split('\n').map(withoutComment) });
    else if (language === 'ts') {
      const [, file, code] = /^\/\/ (src\/\S+)\n([\s\S]*)$/.exec(text);
      steps.push({ file, text: `${code}\n` });
    } else {
      const last = steps.at(-1);
      assert.ok(last?.commands && !last.output, `Nothing prints this block: ${text}`);
      last.output = { language, text };
    }
  }
  return steps;
}

const withoutComment = (line) => line.replace(/\s+# .*$/, '');

/** The sources as they are whenever a step runs commands, for a compiler. Only states that differ. */
export function statesOf(steps, sources = {}) {
  const states = [];
  let state = { ...sources };
  let changed = false;
  for (const { file, text } of steps) {
    if (file) {
      state = { ...state, [file]: text };
      changed = true;
    } else if (changed) {
      states.push(state);
      changed = false;
    }
  }
  return states;
}

/** Throws if commands have not printed what the tutorial shows. A table has more spaces on a terminal, and a header. */
export function mustShow(printed, { language, text }) {
  if (language === 'json') return assert.deepEqual(JSON.parse(printed), JSON.parse(text));
  const lines = text.split('\n').filter((line) => !line.startsWith('Tool  '));
  const words = printed.split('\n').map(collapsed);
  for (const line of lines)
    assert.ok(words.includes(collapsed(line)), `${printed}\nlacks: ${line}`);
}

const collapsed = (line) => line.trim().replace(/\s+/g, ' ');
