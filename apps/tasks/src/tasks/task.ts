import { ApiProperty } from '@nestjs/swagger';
import { TASK_PRIORITIES, TASK_STATUSES } from '../database/schema.js';
import { User } from '../users/user.js';

/** A task as shown to clients. */
export class Task {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;

  @ApiProperty()
  readonly title!: string;

  @ApiProperty({ enum: TASK_STATUSES })
  readonly status!: (typeof TASK_STATUSES)[number];

  @ApiProperty({ enum: TASK_PRIORITIES })
  readonly priority!: (typeof TASK_PRIORITIES)[number];

  @ApiProperty({ type: String, nullable: true, format: 'date', description: 'The last day.' })
  readonly dueDate!: string | null;

  @ApiProperty({ type: User, nullable: true })
  readonly assignee!: User | null;

  @ApiProperty({ description: 'Id of the user.' })
  readonly createdBy!: string;

  @ApiProperty()
  readonly createdAt!: Date;

  @ApiProperty()
  readonly updatedAt!: Date;

  @ApiProperty({ type: Date, nullable: true, description: 'Set while the status is `done`.' })
  readonly completedAt!: Date | null;
}
