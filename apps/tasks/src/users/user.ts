import { ApiProperty } from '@nestjs/swagger';

/** A user as shown to clients. */
export class User {
  @ApiProperty()
  readonly id!: string;

  @ApiProperty()
  readonly name!: string;

  @ApiProperty()
  readonly email!: string;
}
