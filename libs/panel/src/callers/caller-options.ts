import { group, isObject, kind, listOf, type OptionTable, rule } from '@fledge-internal/options';
import type { PanelCallerOptions } from '../panel.options.js';
import { headerFault } from './header-fault.js';

const CALLER = {
  name: kind<string>(
    "a name that is not blank, such as 'Ada (Acme)'",
    (value) => typeof value === 'string' && value.trim() !== '',
  ).required,
  // Error messages do not contain the header values, because these may be secret.
  headers: rule((given: PanelCallerOptions['headers'], place) => {
    if (!isObject(given)) {
      throw place.error("must be an object such as { authorization: 'Bearer demo-token-ada' }");
    }
    for (const [name, value] of Object.entries(given)) {
      const fault = headerFault(name, value);
      if (fault !== undefined) {
        throw place.error(`must contain only headers that the panel can send, but ${fault}`);
      }
    }
    return given;
  }),
} satisfies OptionTable<PanelCallerOptions>;

const list = listOf(group<PanelCallerOptions, typeof CALLER>(CALLER)).default([]);

export const callers = rule((given: readonly PanelCallerOptions[] | undefined, place) => {
  const read = list.read(given, place);
  const names = read.map(({ name }) => name);
  const again = names.findIndex((name, i) => names.indexOf(name) < i);
  if (again < 0) return read;
  const first = names.indexOf(names[again]!);
  throw place.at(`[${again}]`).at('name').error(`must differ from the name of callers[${first}]`);
});
