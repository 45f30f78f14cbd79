/** The fields of an ajv error that are used in messages to the caller. */
export interface ArgumentFault {
  readonly keyword: string;
  /** JSON Pointer to the value, such as `/assignee/email`. Empty for the arguments object. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string | undefined;
}

/**
 * Maximum characters of a name or path in a message, because callers may send names of any length.
 */
const LONGEST_NAME = 120;

const MOST_VALUES = 20;

/** Describes one error: `Missing argument "id"`, `/email must match format "email"`. */
export function faultSentence({ keyword, instancePath, params, message }: ArgumentFault): string {
  const isTop = instancePath === '';
  const path = shortened(instancePath);
  switch (keyword) {
    case 'required': {
      const name = quoted(params['missingProperty']);
      return isTop ? `Missing argument ${name}` : `${path} must have the property ${name}`;
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = quoted(params['additionalProperty'] ?? params['unevaluatedProperty']);
      return isTop ? `Unknown argument ${name}` : `${path} has the unknown property ${name}`;
    }
    case 'enum': {
      const allowed = Array.isArray(params['allowedValues'])
        ? (params['allowedValues'] as unknown[])
        : [];
      const told = allowed.slice(0, MOST_VALUES).map(quoted).join(', ');
      return `${subject(path)} must be one of ${told}${allowed.length > MOST_VALUES ? ', ...' : ''}`;
    }
    case 'const':
      return `${subject(path)} must be ${quoted(params['allowedValue'])}`;
    case 'minimum':
    case 'maximum':
      return Math.abs(Number(params['limit'])) === Number.MAX_SAFE_INTEGER
        ? `${subject(path)} is beyond ${Number.MAX_SAFE_INTEGER}. Larger JSON numbers lose digits`
        : `${subject(path)} ${message ?? 'is not valid'}`;
    default:
      return `${subject(path)} ${message ?? 'is not valid'}`;
  }
}

function subject(path: string): string {
  return path === '' ? 'The arguments' : path;
}

function quoted(value: unknown): string {
  return shortened(JSON.stringify(value) ?? 'undefined');
}

function shortened(text: string): string {
  return text.length <= LONGEST_NAME ? text : `${text.slice(0, LONGEST_NAME)}...`;
}
