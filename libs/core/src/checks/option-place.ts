import { Place } from '@fledge-internal/options';
import { CoreOptionError } from '../errors.js';

/**
 * @param call the call that receives the options, such as `ContextModule.forRoot`
 * @param which text after the call, if there are several such calls, such as ` of Mailer`
 */
export function placeOf(call: string, which = ''): Place {
  return Place.ofCall((message) => new CoreOptionError(message), call, which);
}
