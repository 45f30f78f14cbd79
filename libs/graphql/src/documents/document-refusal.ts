import { GraphQLError } from 'graphql';

/** A request whose document is not served. `status` is that of its answer over HTTP. */
export class DocumentRefusal extends GraphQLError {
  constructor(
    message: string,
    code: string,
    readonly status: 200 | 400 = 400,
  ) {
    super(message, { extensions: { code } });
  }
}
