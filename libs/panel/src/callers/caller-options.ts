import { PanelOptionError } from '../panel.errors.js';
import type { PanelCallerOptions } from '../panel.options.js';
import { headerFault } from './header-fault.js';

/**
 * Checks the option `callers`, whose names of options are checked already.
 * @throws PanelOptionError
 */
export function checkCallers(callers: readonly PanelCallerOptions[]): void {
  const names = callers.map(({ name }) => name);
  for (const [i, { name, headers }] of callers.entries()) {
    if (typeof name !== 'string' || name.trim() === '') {
      throw bad(`[${i}].name`, "a name for the list, such as 'Ada (Acme)'");
    }
    const first = names.indexOf(name);
    if (first < i) throw bad(`[${i}].name`, `another name than that of callers[${first}]`);
    checkHeaders(headers, `[${i}].headers`);
  }
}

function checkHeaders(headers: unknown, place: string): void {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    throw bad(place, "an object such as { authorization: 'Bearer demo-token-ada' }");
  }
  for (const [name, value] of Object.entries(headers)) {
    const fault = headerFault(name, value);
    if (fault !== undefined) throw bad(place, `headers that the panel can send: ${fault}`);
  }
}

function bad(place: string, expected: string): PanelOptionError {
  return new PanelOptionError(`PanelModule.forRoot({ callers${place} }) must be ${expected}.`);
}
