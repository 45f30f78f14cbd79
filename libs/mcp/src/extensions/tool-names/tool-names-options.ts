/**
 * Default names of tools that have no `name` in `@McpTool`. `dotted`: `TasksController.findAll`.
 * `underscored`: `tasks_find_all`, without the word "Controller". An `operationId` of
 * `@ApiOperation` is used instead of class and method.
 */
export type McpToolNames = 'dotted' | 'underscored';

/** Option of the module and of each endpoint for tool names. */
export interface ToolNamesOption {
  /**
   * Format of default tool names. Claude, Claude Desktop and Copilot CLI reject servers with a dot
   * in a tool name, so new applications should set `underscored`. Names set in `@McpTool` do not
   * change. An endpoint without this option uses the module's option.
   * @default 'dotted'
   */
  readonly toolNames?: McpToolNames;
}
