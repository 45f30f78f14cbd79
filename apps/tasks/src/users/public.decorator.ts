import { Reflector } from '@nestjs/core';

/** Lets requests without a token reach a route, or all routes of a controller. */
export const Public = Reflector.createDecorator<void, true>({ transform: () => true });
