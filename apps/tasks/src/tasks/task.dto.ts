import { IsIn, IsOptional, ValidateIf } from 'class-validator';
import {
  TASK_PRIORITIES,
  TASK_STATUSES,
  type TaskPriority,
  type TaskStatus,
} from '../database/schema.js';
import { IsCalendarDate, IsLine } from './text.rules.js';

/** Null is the same as absent. */
export class CreateTaskDto {
  @IsLine(200)
  readonly title!: string;

  @IsOptional()
  @IsIn(TASK_STATUSES)
  readonly status?: TaskStatus | null;

  @IsOptional()
  @IsIn(TASK_PRIORITIES)
  readonly priority?: TaskPriority | null;

  @IsOptional()
  @IsCalendarDate()
  readonly dueDate?: string | null;

  /** Id or e-mail address of a user. */
  @IsOptional()
  @IsLine(254)
  readonly assignee?: string | null;
}

/** The property may be absent. Unlike with `@IsOptional()`, null is a value, and here refused. */
const MayBeAbsent = () => ValidateIf((_, value) => value !== undefined);

/** Absent properties stay as they are; null clears those that may be empty. */
export class UpdateTaskDto {
  @MayBeAbsent()
  @IsLine(200)
  readonly title?: string;

  @MayBeAbsent()
  @IsIn(TASK_STATUSES)
  readonly status?: TaskStatus;

  @MayBeAbsent()
  @IsIn(TASK_PRIORITIES)
  readonly priority?: TaskPriority;

  @IsOptional()
  @IsCalendarDate()
  readonly dueDate?: string | null;

  /** Id or e-mail address of a user. */
  @IsOptional()
  @IsLine(254)
  readonly assignee?: string | null;
}
