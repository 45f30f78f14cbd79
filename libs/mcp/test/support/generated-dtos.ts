import { ApiProperty, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsArray,
  IsDate,
  IsEnum,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Min,
  ValidateNested,
} from 'class-validator';

enum Level {
  Low,
  High,
}

class Flat {
  @IsString() title!: string;
  @IsOptional() @IsInt() @Min(1) points?: number;
  @IsIn(['a', 'b']) mode!: string;
  @IsEnum(Level) level!: Level;
  @Matches(/^[a-z]+$/i) slug!: string;
}

class OddNames {
  @Expose({ name: 'page[size]' }) @IsInt() size!: number;
  @IsString() '$type'!: string;
  @IsString() 'a b'!: string;
  @IsString() größe!: string;
}

class Lists {
  @IsArray() any!: unknown[];
  @IsString({ each: true }) @ArrayMinSize(1) texts!: string[];
  @ApiProperty({ type: 'array', items: {} }) @IsArray() documented!: unknown[];
  @ApiProperty({ isArray: true, enum: Level }) levels!: Level[];
  @ApiProperty({ type: [[Number]] as never }) matrix!: number[][];
  @ApiProperty({ type: 'array' } as never) bare!: unknown[];
}

class Recursive {
  @IsString() text!: string;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Recursive) replies?: Recursive[];
}

class Nested {
  @ValidateNested() @Type(() => Flat) flat!: Flat;
  @ValidateNested({ each: true }) @Type(() => Recursive) all!: Recursive[];
  @IsObject() open!: object;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'array' } as never })
  map!: Record<string, unknown[]>;
}

class Circle {
  @IsInt() radius!: number;
}
class Square {
  @IsInt() side!: number;
}
class Shapes {
  @ValidateNested()
  @Type(() => Object, {
    discriminator: {
      property: 'kind',
      subTypes: [
        { name: 'circle', value: Circle },
        { name: 'square', value: Square },
      ],
    },
  })
  shape!: Circle | Square;
}

class Values {
  @Type(() => Date) @IsDate() at!: Date;
  @ApiProperty() big!: bigint;
  @ApiProperty({ type: 'bigint' as never }) named!: bigint;
  @ApiProperty({ type: 'date' as never }) misnamed!: Date;
  @ApiProperty({ type: 'integer', format: 'int64' }) @IsInt() long!: number;
  @Transform(({ value }) => String(value)) @IsString() changed!: string;
  @ApiProperty({ readOnly: true }) id!: string;
  @ApiProperty({ writeOnly: true }) password!: string;
  @ApiProperty({ type: () => Recursive, nullable: true }) maybe!: Recursive | null;
  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'array' }] }) either!: unknown;
}

class Empty {
  @ApiProperty({ readOnly: true }) id!: string;
}

class Partly extends PartialType(Flat) {}
class Picked extends PickType(Nested, ['flat']) {}
class Both extends IntersectionType(Flat, Values) {}

export const DTOS = [
  Flat,
  OddNames,
  Lists,
  Recursive,
  Nested,
  Shapes,
  Values,
  Empty,
  Partly,
  Picked,
  Both,
];
