import { defineHttpContextDecorator } from '@fledge/core';
import { Injectable } from '@nestjs/common';

export class Reader {
  constructor(readonly name: string) {}

  // Gone where a pipe rebuilds the value as something else.
  greeting(): string {
    return `Hello, ${this.name}`;
  }
}

declare module '@fledge/core' {
  interface ContextMeta {
    reader: Reader | null;
  }
}

@Injectable()
export class ReadersService {
  byToken(token: string | undefined): Reader | null {
    return token === undefined ? null : new Reader(token);
  }
}

export const LoadReader = defineHttpContextDecorator({
  key: 'reader',
  deps: { readers: ReadersService },
  resolve: (ctx, { readers }) => readers.byToken(ctx.headers.authorization),
});
