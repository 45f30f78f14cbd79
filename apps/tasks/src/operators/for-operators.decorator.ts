import { CentralRoute } from '@fledge/tenant';
import { applyDecorators, UseGuards } from '@nestjs/common';
import { Public } from '../users/public.decorator.js';
import { OperatorGuard } from './operator.guard.js';

/**
 * Allows only operators to use the routes of a controller. Operators run the application and belong
 * to no company, so these routes have neither a user nor a company.
 */
export const ForOperators = (): ClassDecorator =>
  applyDecorators(CentralRoute(), Public(), UseGuards(OperatorGuard));
