import { Place } from '@fledge-internal/options';
import { CoreOptionError } from '../errors.js';

/** @param call how the application passes the options: `ContextModule.forRoot` */
export function placeOf(call: string): Place {
  return Place.ofCall((message) => new CoreOptionError(message), call);
}
