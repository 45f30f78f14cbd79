import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, ValidateIf } from 'class-validator';
import { TASK_PRIORITIES, TASK_STATUSES } from '../database/schema.js';
import { IsCalendarDate, IsLine } from './text-rules.js';

/** Describes a property to agents. The type comes from the validators next to it. */
const Described = (description: string) => ApiProperty({ description });

const STATUS = 'Where the work stands.';
const PRIORITY = 'How urgent the task is.';
const DUE_DATE = 'Last day, such as 2026-03-31; null for none.';
const ASSIGNEE = 'Id or e-mail address of a user; null for nobody.';

/** The body of POST /tasks. Null means that the property is missing. */
export class CreateTaskDto {
  @Described('What to do, in one line.')
  @IsLine(200)
  readonly title!: string;

  @IsOptional()
  @Described(STATUS)
  @IsIn(TASK_STATUSES)
  readonly status?: (typeof TASK_STATUSES)[number] | null;

  @IsOptional()
  @Described(PRIORITY)
  @IsIn(TASK_PRIORITIES)
  readonly priority?: (typeof TASK_PRIORITIES)[number] | null;

  @IsOptional()
  @Described(DUE_DATE)
  @IsCalendarDate()
  readonly dueDate?: string | null;

  @IsOptional()
  @Described(ASSIGNEE)
  @IsLine(254)
  readonly assignee?: string | null;
}

/** Makes a property optional. Unlike `@IsOptional()`, it rejects null. */
const MayBeAbsent = () => ValidateIf((_, value) => value !== undefined);

/**
 * The body of PATCH /tasks/:id. Missing properties keep their values. Null clears `dueDate` and
 * `assignee`.
 */
export class UpdateTaskDto {
  @MayBeAbsent()
  @Described('What to do, in one line.')
  @IsLine(200)
  readonly title?: string;

  @MayBeAbsent()
  @Described(STATUS)
  @IsIn(TASK_STATUSES)
  readonly status?: (typeof TASK_STATUSES)[number];

  @MayBeAbsent()
  @Described(PRIORITY)
  @IsIn(TASK_PRIORITIES)
  readonly priority?: (typeof TASK_PRIORITIES)[number];

  @IsOptional()
  @Described(DUE_DATE)
  @IsCalendarDate()
  readonly dueDate?: string | null;

  @IsOptional()
  @Described(ASSIGNEE)
  @IsLine(254)
  readonly assignee?: string | null;
}
