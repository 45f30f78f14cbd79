import { Type } from 'class-transformer';
import { IsDate, IsInt, IsOptional, IsString, Min, MinLength } from 'class-validator';

export class CreateTaskDto {
  @IsString()
  @MinLength(3)
  title!: string;

  @IsInt()
  @Min(1)
  priority!: number;

  @IsOptional()
  @Type(() => Date)
  @IsDate()
  due?: Date;
}
