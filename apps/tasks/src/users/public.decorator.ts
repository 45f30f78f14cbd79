import { Reflector } from '@nestjs/core';

/** Allows requests without a token to a route, or to all routes of a controller. */
export const Public = Reflector.createDecorator<void, true>({ transform: () => true });
