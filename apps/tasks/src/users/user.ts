import { ApiProperty } from '@nestjs/swagger';

/** A user as clients see it. */
export class User {
  @ApiProperty()
  readonly id!: string;

  @ApiProperty()
  readonly name!: string;

  @ApiProperty()
  readonly email!: string;
}
