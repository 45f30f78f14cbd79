import type { Type } from '@nestjs/common';

export function moduleOf(transport: 'http' | 'stdio'): Type;
