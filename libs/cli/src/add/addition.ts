/** The changes that `nest add` makes for one package. */
export interface Addition {
  /** Undefined if the package is used without a module. */
  readonly module?: AddedModule;
  /**
   * Returns the reason why the package cannot be added to an application, or undefined if it can.
   * @default the package can be added to every application
   */
  readonly refuses?: (project: Project) => string | undefined;
  /** Returns the printed next steps: the code to write and the command to try. */
  readonly next: (project: Project) => string;
}

export interface AddedModule {
  /** The class that the package exports, such as `McpModule`. */
  readonly name: string;
  /** The element of `imports`, such as `McpModule.forRoot({ name: 'shop' })`. */
  readonly call: (project: Project) => string;
}

/** Facts about the application. The texts of an `Addition` depend on them. */
export interface Project {
  /** The name in package.json, without its scope. */
  readonly name: string;
  /** Every package that package.json lists. */
  readonly dependencies: ReadonlySet<string>;
  /** True if Jest runs the tests of an application that compiles to CommonJS. */
  readonly needsJestSetting: boolean;
}
