/** What `nest add` does for one package. */
export interface Addition {
  /** Undefined for a package that is used without a module. */
  readonly module?: AddedModule;
  /** Why the package is not added to an application; undefined if it is. @default added to each */
  readonly refuses?: (project: Project) => string | undefined;
  /** What the user does next, for printing: the code to write, the command to try. */
  readonly next: (project: Project) => string;
}

export interface AddedModule {
  /** The class that the package exports, such as `McpModule`. */
  readonly name: string;
  /** The element of `imports`, such as `McpModule.forRoot({ name: 'shop' })`. */
  readonly call: (project: Project) => string;
}

/** What the texts say about the application. */
export interface Project {
  /** The name in package.json, without scope. */
  readonly name: string;
  /** Every package that package.json lists. */
  readonly dependencies: ReadonlySet<string>;
  /** Whether Jest runs the tests of a CommonJS application. */
  readonly needsJestSetting: boolean;
}
