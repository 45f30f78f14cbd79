import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { COMPANY_STATUSES } from '../database/schema.js';
import { IsLine } from '../tasks/text-rules.js';

/** The body of POST /companies. */
export class CreateCompanyDto {
  @ApiProperty({ description: 'Short name in lower case, such as initech. It cannot be changed.' })
  @Matches(/^[a-z][a-z0-9-]{0,62}$/, {
    message: '$property must be lower-case letters, digits and hyphens, and begin with a letter',
  })
  readonly id!: string;

  @ApiProperty({ description: 'What people call the company, such as Initech.' })
  @IsLine(200)
  readonly name!: string;
}

/** The parameters of a path with a user. */
export class UserOfCompany {
  @IsLine(63)
  readonly id!: string;

  @IsLine(254)
  readonly user!: string;
}

/** A company as shown to operators. */
export class Company {
  @ApiProperty()
  readonly id!: string;

  @ApiProperty()
  readonly name!: string;

  @ApiProperty({ enum: COMPANY_STATUSES })
  readonly status!: (typeof COMPANY_STATUSES)[number];
}
