import { Reflector } from '@nestjs/core';

/** Marks a route, or all routes of a controller, that need no token. */
export const Public = Reflector.createDecorator<void, true>({ transform: () => true });
