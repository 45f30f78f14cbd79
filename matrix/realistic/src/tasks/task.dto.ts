import { Field, InputType, Int } from '@nestjs/graphql';
import { ApiProperty, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsDateString,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUrl,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';

export abstract class AttachmentDto {
  @ApiProperty()
  @IsIn(['link', 'reminder'])
  kind!: string;
}

export class LinkDto extends AttachmentDto {
  @ApiProperty()
  @IsUrl()
  url!: string;
}

export class ReminderDto extends AttachmentDto {
  @ApiProperty()
  @IsDateString()
  at!: string;
}

const BY_KIND = {
  property: 'kind',
  subTypes: [
    { name: 'link', value: LinkDto },
    { name: 'reminder', value: ReminderDto },
  ],
};

@InputType({ isAbstract: true })
class TextDto {
  @Field()
  @ApiProperty()
  @IsString()
  @MinLength(3)
  title!: string;
}

class DetailsDto {
  @ApiProperty()
  @IsInt()
  @Min(1)
  priority!: number;

  @ApiProperty({ required: false })
  @IsOptional()
  @ValidateNested()
  @Type(() => AttachmentDto, { discriminator: BY_KIND, keepDiscriminatorProperty: true })
  attachment?: AttachmentDto;
}

export class CreateTaskDto extends IntersectionType(TextDto, DetailsDto) {}
export class UpdateTaskDto extends PartialType(CreateTaskDto) {}
export class RenameTaskDto extends PickType(CreateTaskDto, ['title'] as const) {}

@InputType()
export class CreateTaskInput extends TextDto {
  @Field(() => Int)
  @IsInt()
  @Min(1)
  priority!: number;
}
