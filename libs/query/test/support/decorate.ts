/** Puts a parameter decorator on `Tasks.list`. */
export function decorate(decorator: ParameterDecorator): void {
  class Tasks {
    list(query: unknown) {
      return query;
    }
  }
  decorator(Tasks.prototype, 'list', 0);
}
