import { Place } from '@fledge-internal/options';
import { CoreOptionError } from '../errors.js';

/** @param call the call that receives the options, such as `ContextModule.forRoot` */
export function placeOf(call: string): Place {
  return Place.ofCall((message) => new CoreOptionError(message), call);
}
