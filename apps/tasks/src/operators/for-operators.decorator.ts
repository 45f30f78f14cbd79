import { CentralRoute } from '@fledge/tenant';
import { applyDecorators, UseGuards } from '@nestjs/common';
import { Public } from '../users/public.decorator.js';
import { OperatorGuard } from './operator.guard.js';

/**
 * Leaves the routes of a controller to operators: those who run the application, and belong to no company. So these
 * routes have neither a user nor a company.
 */
export const ForOperators = (): ClassDecorator =>
  applyDecorators(CentralRoute(), Public(), UseGuards(OperatorGuard));
