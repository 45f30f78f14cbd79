import { applyDecorators } from '@nestjs/common';
import { IsString, isISO8601, Length, Matches, ValidateBy } from 'class-validator';

/**
 * Requires one line of text that is not blank, with at most `max` characters. Rejects control
 * characters: PostgreSQL cannot store NUL, and a line break in a title breaks lists.
 */
export function IsLine(max: number): PropertyDecorator {
  return applyDecorators(
    ValidateBy(
      { name: 'isLine', validator: { validate: isLine } },
      { message: '$property must be one line of text, not blank' },
    ),
    Length(1, max),
    IsString(),
  );
}

function isLine(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && !/\p{Cc}/u.test(value);
}

const DATE = /^[1-9]\d{3}-\d{2}-\d{2}$/;
const MESSAGE = '$property must be a date such as 2026-03-31';

/**
 * Requires a date without a time. The pattern is part of the schema that clients read, and rejects
 * the year 0, which PostgreSQL does not have. The second rule rejects dates such as February 30.
 */
export function IsCalendarDate(): PropertyDecorator {
  return applyDecorators(
    Matches(DATE, { message: MESSAGE }),
    ValidateBy(
      {
        name: 'isCalendarDate',
        validator: { validate: (value) => isISO8601(value, { strict: true }) },
      },
      { message: MESSAGE },
    ),
  );
}
