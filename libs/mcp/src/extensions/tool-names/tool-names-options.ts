/**
 * How tools are named that have no `name` in `@McpTool`. `dotted`: `TasksController.findAll`. `underscored`:
 * `tasks_find_all`, without the word "Controller". An `operationId` of `@ApiOperation` takes the place of class and method.
 */
export type McpToolNames = 'dotted' | 'underscored';

/** The option of the module and of each endpoint. */
export interface ToolNamesOption {
  /**
   * How tools without a `name` in `@McpTool` are named. Claude, Claude Desktop and Copilot CLI reject servers with a dot
   * in the name of a tool, so new applications should set `underscored`. Names of `@McpTool` stay as they are. An
   * endpoint without this option has that of the module.
   * @default 'dotted'
   */
  readonly toolNames?: McpToolNames;
}
