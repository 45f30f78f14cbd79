import { IsIn, IsOptional, ValidateIf } from 'class-validator';
import {
  TASK_PRIORITIES,
  TASK_STATUSES,
  type TaskPriority,
  type TaskStatus,
} from '../database/schema.js';
import { IsCalendarDate, IsLine } from './text-rules.js';

/** The body of POST /tasks. Null means absent. */
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

/** Lets a property be absent. Unlike `@IsOptional()`, it refuses null. */
const MayBeAbsent = () => ValidateIf((_, value) => value !== undefined);

/** The body of PATCH /tasks/:id. Absent properties keep their values; null clears `dueDate` and `assignee`. */
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
